using System.ComponentModel;

namespace Mux.Callbacks;

/// <summary>Calls the object that a caller passed for one parameter, while the call runs. Made for generated code. Safe for concurrent use.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class CallbackCaller
{
    private readonly CallbackSession _session;
    private readonly uint _parameter;

    internal CallbackCaller(CallbackSession session, uint parameter, string name)
    {
        _session = session;
        _parameter = parameter;
        Name = name;
    }

    /// <summary>Name of the interface, for errors.</summary>
    internal string Name { get; }

    /// <summary>Calls a method with a result. The arguments are encoded before this returns.</summary>
    /// <returns>A task that completes with the result. It fails with <see cref="MuxException"/>, or with <see cref="OperationCanceledException"/> if the token
    /// or the token of the handler was cancelled first.</returns>
    public ValueTask<TResponse> CallAsync<TRequest, TResponse>(
        CallbackMethod<TRequest, TResponse> method, TRequest request, CancellationToken cancellationToken) =>
        new(_session.CallAsync(this, _parameter, method, request, cancellationToken));

    /// <summary>Calls a method without a result, or a one-way method, whose task completes when the message is queued.</summary>
    /// <inheritdoc cref="CallAsync"/>
    public ValueTask CallWithoutResultAsync<TRequest>(
        CallbackMethod<TRequest, MuxUnit> method, TRequest request, CancellationToken cancellationToken) =>
        method.IsOneWay
            ? _session.SendAsync(this, _parameter, method, request, cancellationToken)
            : new ValueTask(_session.CallAsync(this, _parameter, method, request, cancellationToken));
}
