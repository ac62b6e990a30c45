using Mux.Serialization;

namespace Mux.Generators.Tests.Codecs;

/// <summary>Reads and writes what one direction of a contract method carries, whatever its type.</summary>
public abstract class MessageCodec
{
    public abstract byte[] Encode(object? value);

    public abstract object? Decode(byte[] bytes);

    /// <summary>Where codecs come from: a contract known when the tests are compiled, or not.</summary>
    public abstract class Source
    {
        protected delegate void Encoder<in T>(ref MessageWriter writer, T value);

        protected delegate T Decoder<out T>(ReadOnlySpan<byte> bytes);

        public abstract MessageCodec Request(string method);

        public abstract MessageCodec Response(string method);

        protected static MessageCodec Create<T>(Encoder<T> encode, Decoder<T> decode) => new Typed<T>(encode.Invoke, decode.Invoke);
    }

    private delegate void Encoding<in T>(ref MessageWriter writer, T value);

    private delegate T Decoding<out T>(ReadOnlySpan<byte> bytes);

    private sealed class Typed<T>(Encoding<T> encode, Decoding<T> decode) : MessageCodec
    {
        public override byte[] Encode(object? value)
        {
            var buffer = MessageBuffer.Rent();
            try
            {
                var writer = buffer.CreateWriter();
                encode(ref writer, (T)value!);
                return writer.Written.ToArray();
            }
            finally
            {
                buffer.Return();
            }
        }

        public override object? Decode(byte[] bytes) => decode(bytes);
    }
}
