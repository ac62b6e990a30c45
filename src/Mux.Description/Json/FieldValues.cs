namespace Mux.Description.Json;

/// <summary>The values of one field of a message, in their order.</summary>
/// <param name="runs">Where they are.</param>
/// <param name="start">First entry of the field.</param>
/// <param name="end">Where its entries end.</param>
/// <param name="field">The field.</param>
/// <param name="bytes">The message.</param>
internal ref struct FieldValues(FieldRuns runs, int start, int end, JsonField field, ReadOnlySpan<byte> bytes)
{
    private readonly FieldRuns _runs = runs;
    private readonly JsonField _field = field;
    private readonly int _end = end;
    private readonly ReadOnlySpan<byte> _bytes = bytes;
    private WireScan _scan = new(bytes);
    private int _next = start;
    private bool _isInRun;

    /// <summary>Gets the tag of the value, which may be that of a block of values.</summary>
    public uint Tag { get; private set; }

    /// <summary>Gets where the value is.</summary>
    public readonly int Position => _scan.Position;

    public readonly ReadOnlySpan<byte> Message => _bytes;

    public readonly bool IsBlock => Tag != _field.Tag;

    /// <summary>Moves to the next value. The one before must have been read.</summary>
    public bool MoveNext()
    {
        if (_isInRun && (Tag = _scan.ReadTag()) != 0 && _field.Accepts(Tag)) return true;
        _isInRun = _next < _end;
        if (!_isInRun) return false;
        _scan.Position = _runs.PositionOf(_next++);
        Tag = _scan.ReadTag();
        return true;
    }

    public ulong ReadNumber() => _scan.ReadNumber(Tag & 7);

    public ReadOnlySpan<byte> ReadBlock() => _scan.ReadBlock(Tag);
}
