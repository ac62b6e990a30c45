using Mux.Channels;

namespace Mux.Contracts;

/// <summary>Binds the methods of proxies to one channel's connections.</summary>
internal sealed class ChannelInvoker(ConnectionPool pool) : CallInvoker
{
    public override MethodCaller<TRequest, TResponse> Bind<TService, TRequest, TResponse, TMethod>()
    {
        TMethod.Prepare();
        pool.Register(TMethod.Descriptor);
        return new UnaryCaller<TService, TRequest, TResponse, TMethod>(pool);
    }

    public override RequestStreamCaller<TRequest, TItem, TResponse> BindRequestStream<TService, TRequest, TItem, TResponse, TMethod>()
    {
        TMethod.Prepare();
        pool.Register(TMethod.Descriptor);
        return new RequestStreamStarter<TService, TRequest, TItem, TResponse, TMethod>(pool);
    }

    public override ResponseStreamCaller<TRequest, TItem, TResponse> BindResponseStream<TService, TRequest, TItem, TResponse, TMethod>()
    {
        TMethod.Prepare();
        pool.Register(TMethod.Descriptor);
        return new ResponseStreamStarter<TService, TRequest, TItem, TResponse, TMethod>(pool);
    }
}
