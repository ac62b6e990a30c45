using Mux.Contracts;
using Mux.Serialization;

namespace Mux.Generators.Tests.Calls;

/// <summary>Carries calls to an implementation in the same process, through bytes both ways, as a channel and a server would.</summary>
internal sealed class LoopbackInvoker(object implementation) : CallInvoker
{
    /// <summary>The size of the last request and reply.</summary>
    public (int Request, int Response) LastSizes { get; private set; }

    public override MethodCaller<TRequest, TResponse> Bind<TService, TRequest, TResponse, TMethod>() => new Caller<TService, TRequest, TResponse, TMethod>(this);

    private sealed class Caller<TService, TRequest, TResponse, TMethod>(LoopbackInvoker invoker) : MethodCaller<TRequest, TResponse>
        where TService : class
        where TMethod : struct, IUnaryMethod<TService, TRequest, TResponse>
    {
        private delegate void Encoder<in T>(ref MessageWriter writer, T value);

        public override async ValueTask<TResponse> CallAsync(TRequest request, CancellationToken cancellationToken)
        {
            var requestBytes = Encode(TMethod.EncodeRequest, request);
            var received = TMethod.DecodeRequest(requestBytes);
            var result = await TMethod.InvokeAsync((TService)invoker.Implementation, received, cancellationToken);
            var responseBytes = Encode(TMethod.EncodeResponse, result);
            invoker.LastSizes = (requestBytes.Length, responseBytes.Length);
            return TMethod.DecodeResponse(responseBytes);
        }

        public override async ValueTask CallWithoutResultAsync(TRequest request, CancellationToken cancellationToken)
        {
            await CallAsync(request, cancellationToken);
        }

        private static byte[] Encode<T>(Encoder<T> encode, T value)
        {
            var buffer = MessageBuffer.Rent();
            try
            {
                var writer = buffer.CreateWriter();
                encode(ref writer, value);
                return writer.Written.ToArray();
            }
            finally
            {
                buffer.Return();
            }
        }
    }

    private object Implementation { get; } = implementation;
}
