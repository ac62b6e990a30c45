namespace Mux.Serialization.Oracles.Trees;

/// <summary>
/// What a message says, whatever class holds it: values by field number. A field that is not there, an empty list and a number without presence that is zero are the same.
/// </summary>
/// <remarks>
/// A value is an <see cref="Int128"/> for all integers, bools, chars and enums, a <see cref="float"/>, a <see cref="double"/>, a <see cref="string"/>, a <see cref="Blob"/>, another tree,
/// a list of these, or a <see cref="MapEntries"/>.
/// </remarks>
public sealed class FieldTree
{
    private readonly SortedDictionary<int, object> _fields = [];

    public IReadOnlyDictionary<int, object> Fields => _fields;

    public void Add(int number, object value) => _fields.Add(number, value);

    /// <summary>Two trees are equal if their texts are: bits of floating-point numbers and halves of surrogate pairs included.</summary>
    public override string ToString() => FieldText.Of(this);
}
