using Mux.Serialization.Oracles.Mutations;
using Mux.Serialization.Oracles.Shapes;
using Mux.TestSupport.Connections;

namespace Mux.Serialization.ProtobufNet.Tests;

/// <summary>What the generated codecs take and refuse of mutated messages is what protobuf-net takes and refuses, but for the differences that docs/contracts.md lists.</summary>
public sealed class ShapeMutationTests
{
    private const int Inputs = 20_000;

    [Fact]
    public void A_mutated_message_is_read_or_refused_as_by_protobuf_net() => Seeds.ForEach(1, static seed =>
    {
        var random = new Random(seed);
        var pool = new SpecimenPool(ShapeCatalog.All, random);
        var mutator = new Mutator(random);
        int read = 0, refused = 0;
        for (int i = 0; i < Inputs; i++)
        {
            var (shape, message, other) = pool.Next();
            var bytes = mutator.Mutate(message, other, shape.Descriptor).ToArray();
            var (ours, ourReason) = Try(() => shape.Decode(bytes));
            var (theirs, theirReason) = Try(() => ShapeTests.Read(shape, bytes));
            string input = $"{shape}: {Convert.ToHexString(bytes)}";
            Assert.True(ourReason is null or InvalidMessageException, $"{input} ends in {ourReason}");
            if (ours is not null && theirs is not null)
            {
                read++;
                string said = ShapeTests.Said(shape, ours), expected = ShapeTests.Said(shape, theirs);
                Assert.True(said == expected || !ShapeTests.IsExact(shape, ours), $"{input} says {said} and not {expected}");
            }
            else if (ours is not null)
            {
                Assert.True(theirReason!.Message.Contains("wire-type (Fixed64)", StringComparison.Ordinal) && shape.Name == "OldValues", $"{input} is read, and protobuf-net says {theirReason}");
            }
            else if (theirs is not null)
            {
                Assert.True(ourReason!.Message.Contains("nested more than 64 deep", StringComparison.Ordinal) || ourReason.Message.EndsWith("out of the range of DateTime.", StringComparison.Ordinal), $"{input} is refused: {ourReason.Message}");
            }
            else
            {
                refused++;
            }
        }

        // A run that refused everything, or nothing, would show nothing.
        Assert.InRange(read, Inputs / 20, Inputs);
        Assert.InRange(refused, Inputs / 20, Inputs);
    });

    // protobuf-net says in many ways that bytes are no message.
    private static (object? Value, Exception? Reason) Try(Func<object> read)
    {
        try
        {
            return (read(), null);
        }
        catch (Exception reason)
        {
            return (null, reason);
        }
    }
}
