namespace Mux.Filters;

/// <summary>A call on its way through its filters, with its request.</summary>
internal abstract class RequestRun<TRequest> : FilterRun, IRequestHolder<TRequest>
{
    private TRequest _request = default!;

    /// <summary>The request, for the runtime.</summary>
    public TRequest Message
    {
        get => _request;
        set => _request = value;
    }

    TRequest IRequestHolder<TRequest>.Message
    {
        get => _request;
        set
        {
            ThrowIfStarted();
            _request = value;
        }
    }

    public sealed override object? Request => _request;

    protected sealed override object? RequestReference => typeof(TRequest).IsValueType ? null : _request;

    protected sealed override Type RequestType => typeof(TRequest);

    protected sealed override bool TrySetRequestReference(object? request)
    {
        if (typeof(TRequest).IsValueType || request is not (TRequest or null)) return false;
        ThrowIfStarted();
        _request = (TRequest)request!;
        return true;
    }
}
