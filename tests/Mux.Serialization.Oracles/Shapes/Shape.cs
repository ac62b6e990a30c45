using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace Mux.Serialization.Oracles.Shapes;

/// <summary>A message that a contract of ours and a .proto file describe alike.</summary>
public abstract class Shape
{
    private readonly ShapeCodec _codec;

    private protected Shape(string name, Comparison comparison)
    {
        Name = name;
        Comparison = comparison;
        _codec = MethodCodecs<IShapes>.ByName[name];
    }

    /// <summary>The method of <see cref="IShapes"/>.</summary>
    public string Name { get; }

    /// <summary>Where the two libraries can be compared.</summary>
    public Comparison Comparison { get; }

    /// <summary>What Google's library knows of the message.</summary>
    public abstract MessageDescriptor Descriptor { get; }

    /// <summary>Our class.</summary>
    public Type Contract => _codec.Contract;

    /// <summary>Writes an object of <see cref="Contract"/> by the generated codec.</summary>
    /// <exception cref="InvalidMessageException">It cannot be written.</exception>
    public byte[] Encode(object value) => _codec.Encode(value);

    /// <summary>Reads an object of <see cref="Contract"/> by the generated codec.</summary>
    /// <exception cref="InvalidMessageException">The bytes are no such message.</exception>
    public object Decode(ReadOnlySpan<byte> bytes) => _codec.Decode(bytes);

    /// <summary>Reads the message by Google's library, which passes over unknown fields.</summary>
    /// <exception cref="InvalidProtocolBufferException">The bytes are no message.</exception>
    public abstract IMessage Parse(ReadOnlySpan<byte> bytes);

    public override string ToString() => Name;

    /// <typeparam name="TProto">Google's class.</typeparam>
    internal sealed class Of<TProto>(string name, Comparison comparison = Comparison.Always) : Shape(name, comparison)
        where TProto : IMessage<TProto>, new()
    {
        private static readonly MessageParser<TProto> s_parser = new MessageParser<TProto>(static () => new TProto()).WithDiscardUnknownFields(true);

        public override MessageDescriptor Descriptor { get; } = new TProto().Descriptor;

        public override IMessage Parse(ReadOnlySpan<byte> bytes) => s_parser.ParseFrom(bytes);
    }
}
