using Mux.Contracts;

namespace Mux.Serialization.Oracles.Shapes;

/// <summary>The codecs of all methods of a contract, by name.</summary>
internal sealed class MethodCodecs<TContract> : IMethodVisitor
    where TContract : class
{
    private readonly Dictionary<string, ShapeCodec> _codecs = [];

    private MethodCodecs() => ServiceContract<TContract>.Get().Describe(this);

    public static IReadOnlyDictionary<string, ShapeCodec> ByName { get; } = new MethodCodecs<TContract>()._codecs;

    public void Unary<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method) =>
        _codecs.Add(method.Descriptor.FullName.Split('/')[1], new Of<TRequest>(method.Requests));

    private sealed class Of<TRequest>(MessageCodec<TRequest> codec) : ShapeCodec
    {
        public override Type Contract => typeof(TRequest);

        public override byte[] Encode(object value)
        {
            var buffer = MessageBuffer.Rent();
            try
            {
                var writer = buffer.CreateWriter();
                codec.Encode(ref writer, (TRequest)value);
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
