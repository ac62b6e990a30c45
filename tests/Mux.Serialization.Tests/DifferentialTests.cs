using Google.Protobuf;
using Mux.Serialization.Oracles.Differences;
using Mux.Serialization.Oracles.Shapes;
using Mux.Serialization.Oracles.Trees;
using Mux.Serialization.Oracles.Values;
using Mux.Serialization.Oracles.Wire;
using Mux.TestSupport.Connections;

namespace Mux.Serialization.Tests;

/// <summary>The generated codecs and Google's library on random messages of every shape. MUX_TEST_EFFORT multiplies how many.</summary>
public sealed class DifferentialTests
{
    private const int Rounds = 150;

    public static TheoryData<Shape> Shapes => [.. ShapeCatalog.All];

    public static TheoryData<Shape> InAnyForm => [.. ShapeCatalog.All.Where(static shape => shape.Comparison <= Comparison.InAnyForm)];

    public static TheoryData<Shape> Always => [.. ShapeCatalog.All.Where(static shape => shape.Comparison == Comparison.Always)];

    [Theory]
    [MemberData(nameof(Shapes))]
    public void An_object_is_written_byte_for_byte_as_Google_writes_its_message(Shape shape) => Seeds.ForEach(Rounds, seed =>
    {
        var message = new RandomMessages(new Random(seed)).Next(shape.Descriptor);
        var made = ContractBuilder.Build(shape.Contract, GoogleTree.Of(message), shape.Descriptor);
        Assert.Equal(Convert.ToHexString(message.ToByteArray()), Convert.ToHexString(shape.Encode(made)));
    });

    [Theory]
    [MemberData(nameof(Shapes))]
    public void What_we_write_Google_reads_as_the_same(Shape shape) => Seeds.ForEach(Rounds, seed =>
    {
        var message = new RandomMessages(new Random(seed), otherBytes: true).Next(shape.Descriptor);
        var made = ContractBuilder.Build(shape.Contract, GoogleTree.Of(message), shape.Descriptor);
        Assert.Equal(message, shape.Parse(shape.Encode(made)));
    });

    [Theory]
    [MemberData(nameof(Shapes))]
    public void What_Google_writes_we_read_as_the_same(Shape shape) => Seeds.ForEach(Rounds, seed =>
    {
        var message = new RandomMessages(new Random(seed), otherBytes: true).Next(shape.Descriptor);
        Assert.Equal(GoogleTree.Of(message).ToString(), ContractTree.Of(shape.Decode(message.ToByteArray()), shape.Descriptor).ToString());
    });

    [Theory]
    [MemberData(nameof(InAnyForm))]
    public void Another_form_of_the_same_message_is_read_as_the_same(Shape shape) => Seeds.ForEach(Rounds, seed =>
    {
        var random = new Random(seed);
        var message = new RandomMessages(random, otherBytes: true).Next(shape.Descriptor);
        var bytes = new EquivalentEncoding(random).Rewrite(message.ToByteArray(), shape.Descriptor);
        Assert.Equal(message, shape.Parse(bytes)); // else the oracle is wrong
        Assert.Equal(GoogleTree.Of(message).ToString(), ContractTree.Of(shape.Decode(bytes), shape.Descriptor).ToString());
    });

    [Theory]
    [MemberData(nameof(Always))]
    public void Two_messages_behind_each_other_are_merged_alike(Shape shape)
    {
        Seeds.ForEach(Rounds, oneIn: 20, seed =>
        {
            var random = new Random(seed);
            var messages = new RandomMessages(random, otherBytes: true);
            var second = messages.Next(shape.Descriptor);
            foreach (var field in shape.Descriptor.Fields.InFieldNumberOrder().Where(_ => random.Next(4) != 0)) field.Accessor.Clear(second); // many values may not stand twice
            byte[] both = [.. messages.Next(shape.Descriptor).ToByteArray(), .. second.ToByteArray()];
            if (DifferenceScan.Find(both, shape.Descriptor) != Difference.None) return false;
            Assert.Equal(GoogleTree.Of(shape.Parse(both)).ToString(), ContractTree.Of(shape.Decode(both), shape.Descriptor).ToString());
            return true;
        });
    }

    [Fact]
    public void Unknown_fields_that_a_message_keeps_are_those_that_Google_keeps() => Seeds.ForEach(Rounds, static seed =>
    {
        var shape = ShapeCatalog.All.Single(static shape => shape.Name == "Keeping");
        var random = new Random(seed);
        var bytes = new EquivalentEncoding(random).Rewrite(new RandomMessages(random).Next(shape.Descriptor).ToByteArray(), shape.Descriptor);
        Assert.Equal(shape.Descriptor.Parser.ParseFrom(bytes), shape.Descriptor.Parser.ParseFrom(shape.Encode(shape.Decode(bytes))));
    });
}
