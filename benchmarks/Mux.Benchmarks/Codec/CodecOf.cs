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

    private sealed class Visitor : IMethodVisitor
    {
        public CodecOf? Found { get; private set; }

        public void Unary<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method) =>
            Found = new Of((MessageCodec<SearchEmployee>)(object)method.Requests, (MessageCodec<Employee>)(object)method.Responses);
    }

    private sealed class Of(MessageCodec<SearchEmployee> requests, MessageCodec<Employee> responses) : CodecOf
    {
        public override int EncodeRequest(Span<byte> to, SearchEmployee request, MessageBuffer overflow)
        {
            var writer = new MessageWriter(to, overflow);
            requests.Encode(ref writer, request);
            return writer.Count;
        }

        public override SearchEmployee DecodeRequest(ReadOnlySpan<byte> body) => requests.Decode(body);

        public override int EncodeResponse(Span<byte> to, Employee response, MessageBuffer overflow)
        {
            var writer = new MessageWriter(to, overflow);
            responses.Encode(ref writer, response);
            return writer.Count;
        }

        public override Employee DecodeResponse(ReadOnlySpan<byte> body) => responses.Decode(body);
    }
}
