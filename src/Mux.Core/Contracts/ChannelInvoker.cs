using Mux.Channels;

namespace Mux.Contracts;

/// <summary>Binds the methods of proxies to one channel's connections.</summary>
internal sealed class ChannelInvoker(ConnectionPool pool) : CallInvoker
{
    public override MethodCaller<TRequest, TResponse> Bind<TService, TRequest, TResponse, TMethod>()
    {
        pool.Register(TMethod.Descriptor);
        return new UnaryCaller<TService, TRequest, TResponse, TMethod>(pool);
    }
}
