using System.Runtime.InteropServices;
using Google.Protobuf.Reflection;

namespace Mux.Serialization.Oracles.Mutations;

/// <summary>Makes bytes out of a message that may be none any more. Not for two threads at once.</summary>
internal sealed class Mutator(Random random)
{
    private const int MaxSteps = 3;
    private const int MaxCopies = 40;
    private const int MaxNesting = 70;

    // What is duplicated or nested again and again would grow without end.
    private const int MaxLength = 8 * 1024;

    private static readonly Mutation[] s_all = Enum.GetValues<Mutation>();
    private static readonly byte[] s_awkward = [0, 1, 0x7f, 0x80, 0xff];

    private readonly List<FieldPlace> _places = [];

    /// <param name="message">What it is made of. Not changed.</param>
    /// <param name="other">Another message, of whatever type, for the splice.</param>
    /// <param name="descriptor">Of the first, to find its fields.</param>
    public byte[] Mutate(byte[] message, byte[] other, MessageDescriptor descriptor)
    {
        var bytes = new List<byte>(message);
        for (int step = random.Next(1, MaxSteps + 1); step > 0 && bytes.Count <= MaxLength; step--)
        {
            FieldPlaces.Find(CollectionsMarshal.AsSpan(bytes), descriptor, _places);
            Apply(s_all[random.Next(s_all.Length)], bytes, other);
        }

        return [.. bytes];
    }

    private void Apply(Mutation mutation, List<byte> bytes, byte[] other)
    {
        int at = random.Next(bytes.Count + 1);
        switch (mutation)
        {
            case Mutation.FlipBit when at < bytes.Count:
                bytes[at] ^= (byte)(1 << random.Next(8));
                break;
            case Mutation.SetByte when at < bytes.Count:
                bytes[at] = random.Next(3) == 0 ? (byte)random.Next(256) : s_awkward[random.Next(s_awkward.Length)];
                break;
            case Mutation.Truncate:
                bytes.RemoveRange(at, bytes.Count - at);
                break;
            case Mutation.Splice:
                bytes.RemoveRange(at, bytes.Count - at);
                bytes.AddRange(other.AsSpan(random.Next(other.Length + 1)));
                break;
            case Mutation.Insert:
                var inserted = new byte[random.Next(1, 9)];
                random.NextBytes(inserted);
                bytes.InsertRange(at, inserted);
                break;
            case Mutation.Remove:
                bytes.RemoveRange(at, Math.Min(random.Next(1, 9), bytes.Count - at));
                break;
            case Mutation.Nest:
                Nest(bytes);
                break;
            default:
                if (_places.Count > 0) Apply(mutation, bytes, _places[random.Next(_places.Count)], at);
                break;
        }
    }

    private void Apply(Mutation mutation, List<byte> bytes, FieldPlace field, int at)
    {
        switch (mutation)
        {
            case Mutation.Stretch:
                Stretch(bytes, random.Next(2) == 0 ? field.Start : field.Value);
                break;
            case Mutation.Lie:
                Replace(bytes, field.Value, random.Next(3) == 0 ? (ulong)random.NextInt64() >> random.Next(64) : (ulong)(VarintAt(bytes, field.Value) + random.Next(-4, 5)));
                break;
            case Mutation.Group:
                uint number = random.Next(2) == 0 ? (uint)random.Next(1, 40) : (uint)(VarintAt(bytes, field.Start) >> 3);
                if (random.Next(4) != 0) InsertVarint(bytes, field.End, (number << 3) | 4);
                if (random.Next(4) != 0) InsertVarint(bytes, field.Start, (number << 3) | 3);
                break;
            case Mutation.Duplicate:
                var copy = bytes.GetRange(field.Start, field.End - field.Start);
                for (int count = random.Next(4) == 0 ? random.Next(MaxCopies) : 1; count > 0 && bytes.Count < MaxLength; count--) bytes.InsertRange(field.End, copy);
                break;
            case Mutation.Move:
                var moved = bytes.GetRange(field.Start, field.End - field.Start);
                bytes.RemoveRange(field.Start, moved.Count);
                bytes.InsertRange(Math.Min(at, bytes.Count), moved);
                break;
            case Mutation.Retype:
                bytes[field.Start] = (byte)((bytes[field.Start] & 0xf8) | random.Next(8));
                break;
        }
    }

    private void Nest(List<byte> bytes)
    {
        if (_places.Count == 0) return;
        uint number = (uint)(VarintAt(bytes, _places[random.Next(_places.Count)].Start) >> 3);
        bool isGroup = random.Next(2) == 0;
        for (int level = random.Next(1, MaxNesting); level > 0 && bytes.Count < MaxLength; level--)
        {
            if (isGroup) InsertVarint(bytes, bytes.Count, (number << 3) | 4);
            else InsertVarint(bytes, 0, (ulong)bytes.Count);
            InsertVarint(bytes, 0, (number << 3) | (isGroup ? 3u : 2u));
        }
    }

    private void Stretch(List<byte> bytes, int at)
    {
        for (; at < bytes.Count && bytes[at] >= 0x80; at++)
        {
        }

        if (at == bytes.Count) return;
        bytes[at] |= 0x80;
        int further = random.Next(1, 11);
        for (int i = 1; i < further; i++) bytes.Insert(++at, 0x80);
        bytes.Insert(at + 1, 0);
    }

    private static void Replace(List<byte> bytes, int at, ulong value)
    {
        int end = at;
        while (end < bytes.Count && bytes[end] >= 0x80) end++;
        bytes.RemoveRange(at, Math.Min(end + 1, bytes.Count) - at);
        InsertVarint(bytes, at, value);
    }

    private static long VarintAt(List<byte> bytes, int at)
    {
        ulong value = 0;
        for (int shift = 0; at < bytes.Count && shift < 64; shift += 7)
        {
            byte next = bytes[at++];
            value |= (ulong)(next & 0x7f) << shift;
            if (next < 0x80) break;
        }

        return (long)value;
    }

    private static void InsertVarint(List<byte> bytes, int at, ulong value)
    {
        for (; value >= 0x80; value >>= 7) bytes.Insert(at++, (byte)(value | 0x80));
        bytes.Insert(at, (byte)value);
    }
}
