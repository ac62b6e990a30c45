using Google.Protobuf;
using Mux.Serialization.Oracles.Shapes;
using Mux.Serialization.Oracles.Values;

namespace Mux.Serialization.Oracles.Mutations;

/// <summary>Encoded messages of every shape, to be mutated. One of them is replaced now and then, so that a long run sees many.</summary>
internal sealed class SpecimenPool
{
    private const int PerShape = 48;
    private const int UsesPerSpecimen = 40;

    private readonly Random _random;
    private readonly IReadOnlyList<Shape> _shapes;
    private readonly RandomMessages _messages;
    private readonly byte[][][] _specimens;
    private int _uses;

    public SpecimenPool(IReadOnlyList<Shape> shapes, Random random)
    {
        _random = random;
        _shapes = shapes;
        _messages = new RandomMessages(random, otherBytes: true);
        _specimens = [.. shapes.Select(shape => Enumerable.Range(0, PerShape).Select(_ => Make(shape)).ToArray())];
    }

    /// <summary>A shape, a message of it, and a message of any shape.</summary>
    public (Shape Shape, byte[] Message, byte[] Other) Next()
    {
        int shape = _random.Next(_shapes.Count);
        int specimen = _random.Next(PerShape);
        if (++_uses % UsesPerSpecimen == 0) _specimens[shape][specimen] = Make(_shapes[shape]);
        return (_shapes[shape], _specimens[shape][specimen], _specimens[_random.Next(_shapes.Count)][_random.Next(PerShape)]);
    }

    private byte[] Make(Shape shape) => _messages.Next(shape.Descriptor).ToByteArray();
}
