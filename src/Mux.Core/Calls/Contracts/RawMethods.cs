using System.Diagnostics.CodeAnalysis;
using Mux.Contracts;
using Mux.Serialization;
using Mux.Serialization.Raw;

namespace Mux.Calls;

/// <summary>
/// The methods that this process calls by name. Connections have tables with a row per method, which are never released: one name has one method, however many
/// callers there are. Safe for concurrent use.
/// </summary>
internal static class RawMethods
{
    /// <summary>Different methods of a process: names may come from outside, such as from the users of a bridge.</summary>
    public const int Limit = 16_384;

    private static readonly Lock s_gate = new();
    private static readonly Dictionary<(string Service, string Method, MethodShape Shape, string Format), ContractMethod> s_methods = [];

    /// <exception cref="ArgumentException">A name is empty, too long or has a slash, or there is no such shape.</exception>
    /// <exception cref="InvalidOperationException">There are too many.</exception>
    public static ContractMethod Get(string service, string method, MethodShape shape, string format)
    {
        ArgumentException.ThrowIfNullOrEmpty(format);
        if (shape is < MethodShape.Unary or > MethodShape.OneWay) throw new ArgumentException($"{shape} is not a shape.", nameof(shape));
        if (service.Contains('/', StringComparison.Ordinal)) throw new ArgumentException($"'{service}' has a slash.", nameof(service));
        if (method.Contains('/', StringComparison.Ordinal)) throw new ArgumentException($"'{method}' has a slash.", nameof(method));
        lock (s_gate)
        {
            if (s_methods.TryGetValue((service, method, shape, format), out var known)) return known;
            if (s_methods.Count >= Limit) throw new InvalidOperationException($"This process calls {Limit} different methods by name, which is the most.");
            var descriptor = new MethodDescriptor(service, method, shape, takesToken: false) { Format = format };
            return s_methods[(service, method, shape, format)] = Create(descriptor);
        }
    }

    private static ContractMethod Create(MethodDescriptor descriptor)
    {
        var details = new RawDetailCodec();
        var requests = new RawCodec<ReadOnlyMemory<byte>>(descriptor.FullName);
        var responses = new RawCodec<byte[]>(descriptor.FullName);
        if ((descriptor.Shape & MethodShape.Duplex) == 0)
        {
            return new UnaryMethod<ReadOnlyMemory<byte>, byte[]>(descriptor, requests, responses, static (_, _, _, _) => throw new NotSupportedException())
            {
                Details = details,
            };
        }

        return new StreamMethod<ReadOnlyMemory<byte>, ReadOnlyMemory<byte>, byte[]>(descriptor, requests, requests, responses) { Details = details };
    }
}

/// <summary>Leaves details of failures undecoded.</summary>
internal sealed class RawDetailCodec : DetailCodec
{
    public override int Encode(ref MessageWriter writer, object detail) => 0; // a caller receives details, and sends none

    public override object Decode(int number, ReadOnlySpan<byte> body) => new RawDetail(number, body.ToArray());
}

/// <summary>Sends and receives messages as they are.</summary>
/// <typeparam name="T">A type of bytes that <see cref="RawSerializer"/> supports.</typeparam>
internal sealed class RawCodec<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>(string name)
    : MessageCodec<T>(name)
{
    public override void Encode(ref MessageWriter writer, T message) => RawSerializer.Write(ref writer, message);

    public override T Decode(ReadOnlySpan<byte> body) => RawSerializer.Read<T>(body);
}
