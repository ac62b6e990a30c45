using System.Runtime.InteropServices;

namespace Mux.Fuzz.Tests;

/// <summary>Makes inputs out of others. Not for two threads at once.</summary>
internal sealed class Mutator(Random random)
{
    private const int MaxSteps = 4;

    private static readonly byte[] s_awkward = [0, 1, 2, 4, 8, 0x10, 0x40, 0x7f, 0x80, 0xff];

    /// <param name="input">What it is made of. Not changed.</param>
    /// <param name="other">Another input, for the splice.</param>
    /// <param name="maxLength">The longest that is made.</param>
    public byte[] Mutate(byte[] input, byte[] other, int maxLength)
    {
        var bytes = new List<byte>(input);
        for (int step = random.Next(1, MaxSteps + 1); step > 0; step--) Apply(bytes, other);
        if (bytes.Count > maxLength) bytes.RemoveRange(maxLength, bytes.Count - maxLength);
        return [.. bytes];
    }

    private void Apply(List<byte> bytes, byte[] other)
    {
        int at = random.Next(bytes.Count + 1);
        int count = Math.Min(random.Next(1, 17), bytes.Count - at);
        switch (random.Next(8))
        {
            case 0 when count > 0:
                bytes[at] ^= (byte)(1 << random.Next(8));
                break;
            case 1 when count > 0:
                bytes[at] = s_awkward[random.Next(s_awkward.Length)];
                break;
            case 2 when count > 0:
                bytes[at] += (byte)random.Next(-3, 4);
                break;
            case 3:
                var inserted = new byte[random.Next(1, 9)];
                random.NextBytes(inserted);
                bytes.InsertRange(at, inserted);
                break;
            case 4:
                bytes.RemoveRange(at, count);
                break;
            case 5:
                bytes.InsertRange(at, CollectionsMarshal.AsSpan(bytes).Slice(at, count).ToArray());
                break;
            case 6:
                bytes.InsertRange(at, other); // whole, so that frames stay frames
                break;
            case 7:
                bytes.RemoveRange(at, bytes.Count - at);
                bytes.AddRange(other.AsSpan(random.Next(other.Length + 1)));
                break;
        }
    }
}
