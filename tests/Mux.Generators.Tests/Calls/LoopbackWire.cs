using System.Runtime.CompilerServices;
using Mux.Contracts;
using Mux.Serialization;

namespace Mux.Generators.Tests.Calls;

/// <summary>What stands between the two sides of a loopback: bytes.</summary>
internal static class LoopbackWire
{
    public delegate void Encoder<in T>(ref MessageWriter writer, T value);

    public delegate T Decoder<out T>(ReadOnlySpan<byte> body);

    public static byte[] Encode<T>(Encoder<T> encode, T value)
    {
        var buffer = MessageBuffer.Rent();
        try
        {
            var writer = buffer.CreateWriter();
            encode(ref writer, value);
            return writer.Written.ToArray();
        }
        finally
        {
            buffer.Return();
        }
    }

    /// <summary>The items as the other side sees them.</summary>
    public static async IAsyncEnumerable<T> CarryAsync<T>(
        IAsyncEnumerable<T> items, Encoder<T> encode, Decoder<T> decode, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await foreach (var item in items.WithCancellation(cancellationToken)) yield return decode(Encode(encode, item));
    }

    /// <summary>The failure as the other side sees it.</summary>
    public static MuxFailure Carry(ContractMethod method, MuxFailure failure)
    {
        if (failure.Detail is null) return new MuxFailure(failure.Status, failure.Message);
        int number = 0;
        var body = Encode((ref MessageWriter writer, object detail) => number = method.Details?.Encode(ref writer, detail) ?? 0, failure.Detail);
        if (number == 0) Assert.Empty(body);
        return new MuxFailure(failure.Status, failure.Message, number == 0 ? null : method.Details!.Decode(number, body));
    }

    public static MuxFailure FailureOf(MuxException exception) => new(exception.Status, exception.Message, exception.Detail);

    /// <summary>What a handler is given of the options of a call.</summary>
    public static MuxCallOptions? OptionsFor(ContractMethod method, MuxCallOptions? options) => method.Descriptor.TakesOptions ? options ?? new MuxCallOptions() : null;
}
