using Mux.Contracts;
using Mux.Serialization;

namespace Mux.Proto.Tests.Messages;

/// <summary>The codecs of the requests of an imported contract, by method.</summary>
internal sealed class EchoCodecs : IMethodVisitor
{
    private readonly Dictionary<string, EchoCodec> _codecs = [];

    private EchoCodecs()
    {
    }

    public static IReadOnlyDictionary<string, EchoCodec> Of<TContract>()
        where TContract : class
    {
        var codecs = new EchoCodecs();
        ServiceContract<TContract>.Get().Describe(codecs);
        return codecs._codecs;
    }

    public void Unary<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method) =>
        _codecs.Add(method.Descriptor.FullName.Split('/')[1], new Codec<TRequest>(method.Requests));

    private sealed class Codec<T>(MessageCodec<T> codec) : EchoCodec
    {
        public override Type Type => typeof(T);

        public override byte[] Encode(object value)
        {
            var buffer = MessageBuffer.Rent();
            try
            {
                var writer = buffer.CreateWriter();
                codec.Encode(ref writer, (T)value);
                return writer.Written.ToArray();
            }
            finally
            {
                buffer.Return();
            }
        }

        public override object Decode(ReadOnlySpan<byte> bytes) => codec.Decode(bytes)!;
    }
}
