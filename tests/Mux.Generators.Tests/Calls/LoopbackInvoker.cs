using Mux.Contracts;

namespace Mux.Generators.Tests.Calls;

/// <summary>Carries calls to an implementation in the same process, through bytes both ways, as a channel and a server would.</summary>
internal sealed class LoopbackInvoker(object implementation) : CallInvoker
{
    /// <summary>What a call fails with that was made without its request stream.</summary>
    public static MuxException WithoutItems { get; } = new(MuxStatus.InvalidArgument, "The request stream is null.");

    public object Implementation { get; } = implementation;

    /// <summary>The size of the last request and reply.</summary>
    public (int Request, int Response) LastSizes { get; set; }

    /// <summary>Whether the last call came through an overload with options.</summary>
    public bool LastHadOptions { get; set; }

    public override MethodCaller<TRequest, TResponse> Bind<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method) => new LoopbackCaller<TRequest, TResponse>(this, method);

    public override StreamCaller<TRequest, TItem, TResponse> BindStream<TRequest, TItem, TResponse>(StreamMethod<TRequest, TItem, TResponse> method) => new LoopbackStreamCaller<TRequest, TItem, TResponse>(this, method);
}
