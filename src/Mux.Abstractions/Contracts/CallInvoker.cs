using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>Makes the calls of proxies. Implemented by a channel, or by a fake in a test. Safe for concurrent use.</summary>
/// <remarks>A proxy binds each of its methods once, when it is created, so that a call costs one virtual call.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class CallInvoker
{
    /// <summary>Prepares calls of a method with one request and one reply or none.</summary>
    public abstract MethodCaller<TRequest, TResponse> Bind<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method);

    /// <summary>Prepares calls of a method with a stream in at least one direction.</summary>
    public abstract StreamCaller<TRequest, TItem, TResponse> BindStream<TRequest, TItem, TResponse>(StreamMethod<TRequest, TItem, TResponse> method);
}
