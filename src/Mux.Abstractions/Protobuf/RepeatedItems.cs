using System.ComponentModel;
using Mux.Serialization;

namespace Mux.Protobuf;

/// <summary>
/// Enumerates the numbers of a list for generated code: the items of one packed block, or single items that follow each other. Like protobuf-net, it reads both
/// forms, whichever the member declares, but not a packed block directly after a single item.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct RepeatedItems
{
    private const int NotPacked = -1;

    // A list with room for four items of 8 bytes, as generated code charges for it.
    private const int ListSize = 88;

    private readonly int _end; // end of the packed block, or NotPacked
    private readonly int _count; // number of items in the block, as far as its length and its bytes tell
    private uint _tag;
    private bool _started;

    private RepeatedItems(uint tag, int end, int count)
    {
        _tag = tag;
        _end = end;
        _count = count;
    }

    /// <summary>Gets the tag with which to read the current item: it says how the item is written.</summary>
    public readonly uint Tag => _tag;

    /// <summary>Starts to read items.</summary>
    /// <param name="reader">Positioned after the tag.</param>
    /// <param name="tag">The tag that was found.</param>
    /// <param name="itemTag">The tag of a single item as the member declares it, which says how items of a block are written.</param>
    /// <exception cref="InvalidMessageException">The block is longer than the message, or does not contain a whole number of fixed-size items.</exception>
    public static RepeatedItems Begin(ref MessageReader reader, uint tag, uint itemTag)
    {
        if ((tag & 7) != (uint)WireType.Bytes) return new RepeatedItems(tag, NotPacked, 0);
        var block = reader.PeekBlock();
        int itemSize = (WireType)(itemTag & 7) switch
        {
            WireType.Fixed32 => sizeof(uint),
            WireType.Fixed64 => sizeof(ulong),
            _ => 1,
        };
        if (block.Length % itemSize != 0) reader.ThrowPacked();
        int count = itemSize > 1 ? block.Length / itemSize : WireSize.CountVarints(block);
        return new RepeatedItems(itemTag, reader.Position + block.Length, count);
    }

    /// <summary>Starts to read items into a list, which grows to the exact number of items in a block.</summary>
    /// <inheritdoc cref="Begin(ref MessageReader, uint, uint)"/>
    public static RepeatedItems Begin<T>(ref MessageReader reader, uint tag, uint itemTag, List<T> items)
    {
        var sequence = Begin(ref reader, tag, itemTag);
        if (sequence._count > 0) items.EnsureCapacity(items.Count + sequence._count);
        return sequence;
    }

    /// <summary>Starts to read items into a buffer.</summary>
    /// <inheritdoc cref="Begin{T}(ref MessageReader, uint, uint, List{T})"/>
    public static RepeatedItems Begin<T>(ref MessageReader reader, uint tag, uint itemTag, scoped ref ItemBuffer<T> items)
    {
        var sequence = Begin(ref reader, tag, itemTag);
        items.Reserve(sequence._count);
        return sequence;
    }

    /// <summary>Reads items into a list, which is made if there is none.</summary>
    /// <param name="reader">Positioned after the tag.</param>
    /// <param name="tag">The tag that was found.</param>
    /// <param name="itemTag">The tag of a single item as the member declares it.</param>
    /// <param name="items">The list, which may be null.</param>
    /// <returns>The list.</returns>
    /// <exception cref="InvalidMessageException">An item is not valid.</exception>
    public static List<T> ReadList<T, TNumber>(ref MessageReader reader, uint tag, uint itemTag, List<T>? items)
        where TNumber : struct, INumberReader<T>
    {
        items ??= reader.PayForMemory(new List<T>(), ListSize);
        var sequence = Begin(ref reader, tag, itemTag, items);
        while (sequence.Next(ref reader)) items.Add(TNumber.Read(ref reader, sequence.Tag));
        return items;
    }

    /// <summary>Reads items into a buffer.</summary>
    /// <returns>True if the buffer is still empty: a block may have no items.</returns>
    /// <inheritdoc cref="ReadList{T, TNumber}"/>
    public static bool ReadsNone<T, TNumber>(ref MessageReader reader, uint tag, uint itemTag, scoped ref ItemBuffer<T> items)
        where TNumber : struct, INumberReader<T>
    {
        var sequence = Begin(ref reader, tag, itemTag, ref items);
        while (sequence.Next(ref reader)) items.Add(TNumber.Read(ref reader, sequence.Tag));
        return items.IsEmpty;
    }

    /// <summary>Reads strings into a list, which is made if there is none.</summary>
    /// <inheritdoc cref="ReadList{T, TNumber}"/>
    public static List<string> ReadTexts(ref MessageReader reader, uint tag, List<string>? items)
    {
        items ??= reader.PayForMemory(new List<string>(), ListSize);
        do items.Add(reader.ReadString(tag));
        while (reader.ReadNext(ref tag));
        return items;
    }

    /// <summary>Reads strings into a buffer.</summary>
    /// <inheritdoc cref="ReadList{T, TNumber}"/>
    public static void ReadTexts(ref MessageReader reader, uint tag, scoped ref ItemBuffer<string> items)
    {
        do items.Add(reader.ReadString(tag));
        while (reader.ReadNext(ref tag));
    }

    /// <summary>Moves to the next item.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="isAlike">True if single items must have the wire type of the first one.</param>
    /// <exception cref="InvalidMessageException">The previous item reaches beyond the packed block.</exception>
    public bool Next(ref MessageReader reader, bool isAlike = false)
    {
        if (_end != NotPacked)
        {
            if (reader.Position > _end) reader.ThrowPacked();
            return reader.Position < _end;
        }

        if (_started) return reader.ReadNext(ref _tag, isAlike);
        _started = true;
        return true;
    }
}
