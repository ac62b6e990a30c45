namespace Mux.Contracts;

/// <summary>Makes the calls of proxies: a channel, or a fake in a test. Safe for concurrent use.</summary>
public abstract class CallInvoker
{
    /// <summary>Prepares the calls of one method. A proxy does this once per method when it is created, so that a call costs one virtual call.</summary>
    public abstract MethodCaller<TRequest, TResponse> Bind<TService, TRequest, TResponse, TMethod>()
        where TService : class
        where TMethod : struct, IUnaryMethod<TService, TRequest, TResponse>;
}
