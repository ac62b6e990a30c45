using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>Makes the calls of proxies. Implemented by a channel, or by a fake in a test. Safe for concurrent use.</summary>
/// <remarks>A proxy binds each of its methods once, when it is created, so that a call costs one virtual call.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class CallInvoker
{
    /// <summary>Prepares calls of a method with one request and one reply or none.</summary>
    public abstract MethodCaller<TRequest, TResponse> Bind<TService, TRequest, TResponse, TMethod>()
        where TService : class
        where TMethod : struct, IUnaryMethod<TService, TRequest, TResponse>;

    /// <summary>Prepares calls of a method with a stream in at least one direction.</summary>
    public abstract StreamCaller<TRequest, TItem, TResponse> BindStream<TService, TRequest, TItem, TResponse, TMethod>()
        where TService : class
        where TMethod : struct, IStreamMethod<TService, TRequest, TItem, TResponse>;
}
