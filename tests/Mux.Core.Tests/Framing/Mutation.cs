namespace Mux.Core.Tests.Framing;

/// <summary>A valid stream, damaged in a few places.</summary>
internal static class Mutation
{
    public static byte[] Of(byte[] valid, Random random)
    {
        var bytes = valid.ToList();
        for (int i = random.Next(1, 5); i > 0 && bytes.Count > 1; i--) Damage(bytes, random);
        return [.. bytes];
    }

    private static void Damage(List<byte> bytes, Random random)
    {
        int at = random.Next(bytes.Count);
        int count = Math.Min(random.Next(1, 20), bytes.Count - at);
        switch (random.Next(6))
        {
            case 0: bytes[at] ^= (byte)(1 << random.Next(8)); break;
            case 1: bytes[at] = (byte)random.Next(256); break;
            case 2: bytes.RemoveRange(at, count); break;
            case 3: bytes.InsertRange(at, bytes.GetRange(at, count)); break;
            case 4: bytes.RemoveRange(at, bytes.Count - at); break;
            default: bytes.InsertRange(random.Next(bytes.Count), bytes.GetRange(at, count)); break;
        }
    }
}
