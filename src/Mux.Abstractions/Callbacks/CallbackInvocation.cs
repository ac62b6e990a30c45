using System.ComponentModel;

namespace Mux.Callbacks;

/// <summary>Calls a method with callbacks on an implementation.</summary>
/// <param name="service">The implementation of the contract interface.</param>
/// <param name="request">The arguments other than the callbacks.</param>
/// <param name="callbacks">Call the objects that the caller passed, in the order of their parameters.</param>
/// <param name="options">The options that came with the call; null unless the method takes them.</param>
/// <param name="cancellationToken">Fires on cancel, deadline and connection loss, and if the caller breaks a rule of callbacks.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public delegate ValueTask<TResult> CallbackInvocation<TRequest, TResult>(
    object service, TRequest request, CallbackCaller[] callbacks, MuxCallOptions? options, CancellationToken cancellationToken);
