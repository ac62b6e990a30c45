using System.ComponentModel;

namespace Mux.Serialization;

/// <summary>
/// Goes through the numbers of a list for generated code: the items of one packed block, or single items that follow each other.
/// protobuf-net reads either, whichever the member declares, but not a packed block directly behind a single item.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct RepeatedItems
{
    private const int NotPacked = -1;

    private readonly int _end; // of the packed block, or NotPacked
    private uint _tag;
    private bool _started;

    private RepeatedItems(uint tag, int end)
    {
        _tag = tag;
        _end = end;
    }

    /// <summary>Says how the current item is written; to be given to the method that reads it.</summary>
    public readonly uint Tag => _tag;

    /// <summary>Starts to read items.</summary>
    /// <param name="reader">Behind the tag.</param>
    /// <param name="tag">The tag that was found.</param>
    /// <param name="itemTag">The tag of a single item as the member declares it, which says how items are written in a block.</param>
    /// <exception cref="InvalidMessageException">The block is longer than the message, or holds no whole number of fixed-size items.</exception>
    public static RepeatedItems Begin(ref MessageReader reader, uint tag, uint itemTag)
    {
        if ((tag & 7) != (uint)WireType.Bytes) return new RepeatedItems(tag, NotPacked);
        int length = reader.PeekBlock();
        int itemSize = (WireType)(itemTag & 7) switch
        {
            WireType.Fixed32 => sizeof(uint),
            WireType.Fixed64 => sizeof(ulong),
            _ => 1,
        };
        if (length % itemSize != 0) reader.ThrowPacked();
        return new RepeatedItems(itemTag, reader.Position + length);
    }

    /// <summary>Goes to the next item.</summary>
    /// <exception cref="InvalidMessageException">The item read before reaches beyond the packed block.</exception>
    public bool Next(ref MessageReader reader)
    {
        if (_end != NotPacked)
        {
            if (reader.Position > _end) reader.ThrowPacked();
            return reader.Position < _end;
        }

        if (_started) return reader.ReadNext(ref _tag);
        _started = true;
        return true;
    }
}
