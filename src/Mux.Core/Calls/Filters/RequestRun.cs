using System.Diagnostics.CodeAnalysis;
using Mux.Contracts;
using Mux.Filters;

namespace Mux.Calls;

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

    public sealed override IReadOnlyList<string> ArgumentNames => [.. Contract.Arguments.Select(static argument => argument.Name)];

    public sealed override MethodDescriptor Method => Contract.Descriptor;

    /// <summary>The method of the call.</summary>
    protected abstract RequestMethod<TRequest> Contract { get; }

    public sealed override bool TryGetArgument<T>(string name, [NotNullWhen(true)] out T? value)
        where T : default
    {
        ArgumentNullException.ThrowIfNull(name);
        var argument = Find(name);
        if (argument is MethodArgument<TRequest, T> exact)
        {
            value = exact.In(ref _request);
            return value is not null;
        }

        if (argument?.Get(ref _request) is T known)
        {
            value = known;
            return true;
        }

        value = default;
        return false;
    }

    public sealed override void SetArgument<T>(string name, T value)
    {
        ArgumentNullException.ThrowIfNull(name);
        ThrowIfStarted();
        var argument = Find(name) ?? throw new InvalidOperationException($"{Method.FullName} has no parameter '{name}'. It has: " +
            $"{(Contract.Arguments.Count == 0 ? "none" : string.Join(", ", ArgumentNames))}.");
        if (argument is MethodArgument<TRequest, T> exact) exact.In(ref _request) = value;
        else if (!argument.TrySetReference(ref _request, value))
            throw new InvalidOperationException($"The parameter '{name}' of {Method.FullName} takes no {typeof(T)}: its type is {argument.Type}.");
    }

    protected sealed override object? RequestReference => typeof(TRequest).IsValueType ? null : _request;

    protected sealed override Type RequestType => typeof(TRequest);

    protected sealed override bool TrySetRequestReference(object? request)
    {
        if (typeof(TRequest).IsValueType || request is not (TRequest or null)) return false;
        ThrowIfStarted();
        _request = (TRequest)request!;
        return true;
    }

    private MethodArgument<TRequest>? Find(string name)
    {
        foreach (var argument in Contract.Arguments)
        {
            if (argument.Name == name) return argument;
        }

        return null;
    }
}
