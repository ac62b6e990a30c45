using Mux.Contracts;

namespace Mux.Serialization.Oracles.Shapes;

/// <summary>The codecs of all methods of a contract, by name.</summary>
internal sealed class MethodCodecs<TContract> : IMethodVisitor<TContract>
    where TContract : class
{
    private readonly Dictionary<string, ShapeCodec> _codecs = [];

    private MethodCodecs() => ServiceContract<TContract>.Get().Describe(this);

    public static IReadOnlyDictionary<string, ShapeCodec> ByName { get; } = new MethodCodecs<TContract>()._codecs;

    public void Unary<TRequest, TResponse, TMethod>()
        where TMethod : struct, IUnaryMethod<TContract, TRequest, TResponse>
    {
        _codecs.Add(TMethod.Descriptor.FullName.Split('/')[1], new Of<TRequest, TResponse, TMethod>());
    }

    private sealed class Of<TRequest, TResponse, TMethod> : ShapeCodec
        where TMethod : struct, IUnaryMethod<TContract, TRequest, TResponse>
    {
        public override Type Contract => typeof(TRequest);

        public override byte[] Encode(object value)
        {
            var buffer = MessageBuffer.Rent();
            try
            {
                var writer = buffer.CreateWriter();
                TMethod.EncodeRequest(ref writer, (TRequest)value);
                return writer.Written.ToArray();
            }
            finally
            {
                buffer.Return();
            }
        }

        public override object Decode(ReadOnlySpan<byte> bytes) => TMethod.DecodeRequest(bytes)!;
    }
}
