using Mux.Contracts;
using Mux.Serialization;

namespace Mux.Benchmarks.Codec;

/// <summary>The generated codec of the one method's messages, reached as the engine reaches it.</summary>
internal abstract class CodecOf
{
    public abstract int EncodeRequest(Span<byte> to, SearchEmployee request, MessageBuffer overflow);

    public abstract SearchEmployee DecodeRequest(ReadOnlySpan<byte> body);

    public abstract int EncodeResponse(Span<byte> to, Employee response, MessageBuffer overflow);

    public abstract Employee DecodeResponse(ReadOnlySpan<byte> body);

    public static CodecOf Generated()
    {
        var visitor = new Visitor();
        ServiceContract<IDirectory>.Get().Describe(visitor);
        return visitor.Found!;
    }

    private sealed class Visitor : IMethodVisitor<IDirectory>
    {
        public CodecOf? Found { get; private set; }

        public void Unary<TRequest, TResponse, TMethod>()
            where TMethod : struct, IUnaryMethod<IDirectory, TRequest, TResponse> => Found = new Of<TRequest, TResponse, TMethod>() as CodecOf;
    }

    private sealed class Of<TRequest, TResponse, TMethod> : CodecOf
        where TMethod : struct, IUnaryMethod<IDirectory, TRequest, TResponse>
    {
        public override int EncodeRequest(Span<byte> to, SearchEmployee request, MessageBuffer overflow)
        {
            var writer = new MessageWriter(to, overflow);
            TMethod.EncodeRequest(ref writer, (TRequest)(object)request);
            return writer.Count;
        }

        public override SearchEmployee DecodeRequest(ReadOnlySpan<byte> body) => (SearchEmployee)(object)TMethod.DecodeRequest(body)!;

        public override int EncodeResponse(Span<byte> to, Employee response, MessageBuffer overflow)
        {
            var writer = new MessageWriter(to, overflow);
            TMethod.EncodeResponse(ref writer, (TResponse)(object)response);
            return writer.Count;
        }

        public override Employee DecodeResponse(ReadOnlySpan<byte> body) => (Employee)(object)TMethod.DecodeResponse(body)!;
    }
}
