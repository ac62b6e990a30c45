using Mux.Conformance.Contract;
using Mux.TestSupport.Transports;

namespace Mux.Conformance.Suite;

/// <summary>Payloads whose bytes can be checked.</summary>
public static class Payloads
{
    /// <summary>Bytes that say how many they are and where each stands.</summary>
    public static Payload OfSize(int size, int number = 0)
    {
        var body = new byte[size];
        for (int i = 0; i < size; i++) body[i] = (byte)((i * 31) + (i >> 8) + size);
        return new Payload { Number = number, Body = body };
    }

    /// <summary>A payload per size, numbered from 0.</summary>
    public static IAsyncEnumerable<Payload> OfSizes(params IEnumerable<int> sizes) => sizes.Select((size, number) => OfSize(size, number)).ToAsyncEnumerable();

    /// <summary>So many, numbered from 0.</summary>
    public static IAsyncEnumerable<Payload> Numbered(int count, int size = 0) => OfSizes(Enumerable.Repeat(size, count));

    /// <summary>Numbered from 0, until the producer is disposed.</summary>
    /// <param name="over">Set then.</param>
    public static async IAsyncEnumerable<Payload> Endless(Signal over)
    {
        try
        {
            for (int i = 0; ; i++)
            {
                if (i % 16 == 0) await Task.Yield();
                yield return new Payload { Number = i };
            }
        }
        finally
        {
            over.Set();
        }
    }

    /// <summary>What <see cref="OfSize"/> made arrived whole.</summary>
    public static void AssertIs(int size, Payload payload)
    {
        Assert.Equal(size, payload.Body.Length);
        Assert.True(OfSize(size).Body.AsSpan().SequenceEqual(payload.Body), $"The {size} bytes of payload {payload.Number} are others.");
    }
}
