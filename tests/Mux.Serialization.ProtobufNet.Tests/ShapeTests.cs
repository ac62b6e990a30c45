using Google.Protobuf;
using Mux.Serialization.Oracles.Contracts;
using Mux.Serialization.Oracles.Shapes;
using Mux.Serialization.Oracles.Trees;
using Mux.Serialization.Oracles.Values;
using Mux.Serialization.Oracles.Wire;
using Mux.TestSupport.Connections;
using ProtoBuf.Meta;

namespace Mux.Serialization.ProtobufNet.Tests;

/// <summary>The generated codecs and protobuf-net on random objects of every shape. MUX_TEST_EFFORT multiplies how many.</summary>
public sealed class ShapeTests
{
    private const int Rounds = 100;

    private static readonly RuntimeTypeModel s_model = Model();

    public static TheoryData<Shape> Shapes => [.. ShapeCatalog.All];

    [Theory]
    [MemberData(nameof(Shapes))]
    public void An_object_is_written_byte_for_byte_as_by_protobuf_net(Shape shape) => Seeds.ForEach(Rounds, seed =>
    {
        var made = Object(shape, new Random(seed));
        Assert.Equal(Convert.ToHexString(Write(made)), Convert.ToHexString(shape.Encode(made)));
    });

    [Theory]
    [MemberData(nameof(Shapes))]
    public void What_protobuf_net_writes_is_read_as_it_was(Shape shape) => Seeds.ForEach(Rounds, seed =>
    {
        var made = Object(shape, new Random(seed));
        Assert.Equal(Said(shape, made), Said(shape, shape.Decode(Write(made))));
    });

    [Theory]
    [MemberData(nameof(Shapes))]
    public void Another_form_of_the_same_message_is_read_as_by_protobuf_net(Shape shape)
    {
        Seeds.ForEach(Rounds, oneIn: 5, seed =>
        {
            var random = new Random(seed);
            var message = new RandomMessages(random, otherBytes: true).Next(shape.Descriptor);
            var bytes = new EquivalentEncoding(random).Rewrite(message.ToByteArray(), shape.Descriptor);
            var ours = shape.Decode(bytes);
            if (!IsExact(shape, ours)) return false;
            Assert.Equal(Said(shape, Read(shape, bytes)), Said(shape, ours));
            return true;
        });
    }

    // protobuf-net rounds spans of centuries, and reads the first moment of 1970 in a list as that of the year 1.
    internal static bool IsExact(Shape shape, object value) => Said(shape, Read(shape, Write(value))) == Said(shape, value);

    private static object Object(Shape shape, Random random) =>
        ContractBuilder.Build(shape.Contract, GoogleTree.Of(new RandomMessages(random).Next(shape.Descriptor)), shape.Descriptor);

    private static byte[] Write(object value)
    {
        using var stream = new MemoryStream();
        s_model.Serialize(stream, value);
        return stream.ToArray();
    }

    internal static object Read(Shape shape, ReadOnlySpan<byte> bytes) => s_model.Deserialize(shape.Contract, bytes);

    internal static string Said(Shape shape, object value) => ContractTree.Of(value, shape.Descriptor).ToString();

    // Positional records, which protobuf-net does not make by their constructor.
    private static RuntimeTypeModel Model()
    {
        var model = RuntimeTypeModel.Create();
        model.Add<Leaf>().UseConstructor = false;
        return model;
    }
}
