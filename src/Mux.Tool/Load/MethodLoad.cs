using System.Buffers.Binary;
using System.Security.Cryptography;
using Mux.Contracts;
using Mux.Tool.Contracts;

namespace Mux.Tool.Load;

/// <summary>The method that a run calls in place of a workload, and the requests that it sends in turn. Immutable.</summary>
/// <param name="Called">The method.</param>
/// <param name="Requests">The requests, at least one.</param>
/// <param name="Timeout">How long a call may take; infinite for no limit.</param>
internal sealed record MethodLoad(CalledMethod Called, IReadOnlyList<EncodedRequest> Requests, TimeSpan Timeout)
{
    // Characters enough to tell whether two runs sent the same.
    private const int HashLength = 16;

    private readonly EncodedRequest[] _requests = [.. Requests];

    /// <summary>Gets SERVICE/METHOD.</summary>
    public string Name => Called.Name;

    public bool IsOneWay => Called.Method.IsOneWay;

    public bool HasRequestStream => Called.Method.IsRequestStream;

    public bool HasResponseStream => Called.Method.IsResponseStream;

    public bool HasStream => HasRequestStream || HasResponseStream;

    /// <summary>Gets the name of the shape, as results have it: like those of workloads.</summary>
    public string Shape => Called.Shape switch
    {
        MethodShape.OneWay => "one-way",
        MethodShape.RequestStream => "client-stream",
        MethodShape.ResponseStream => "server-stream",
        MethodShape.Duplex => "duplex",
        _ => "unary",
    };

    /// <summary>Gets the seconds without a reply after which open calls are lost: by then they should have exceeded their time limit.</summary>
    public int PatienceSeconds =>
        Timeout == System.Threading.Timeout.InfiniteTimeSpan ? int.MaxValue : Math.Max(BenchRun.QuietSeconds, 1 + (int)Math.Ceiling(Timeout.TotalSeconds));

    /// <summary>Gets the request of a call: all of them in turn, by the numbers of the calls.</summary>
    /// <param name="number">The number, from 1.</param>
    public EncodedRequest RequestOf(long number) => _requests.Length == 1 ? _requests[0] : _requests[(number - 1) % _requests.Length];

    /// <summary>Hashes the requests, so that a comparison notices other ones.</summary>
    public string HashRequests()
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (var request in Requests)
        {
            Append(request.Message.Span);
            foreach (var item in request.Items) Append(item.Span);
            Append([]); // one call's items are no other's
        }

        return Convert.ToHexStringLower(hash.GetHashAndReset())[..HashLength];

        void Append(ReadOnlySpan<byte> message)
        {
            Span<byte> length = stackalloc byte[sizeof(int)];
            BinaryPrimitives.WriteInt32LittleEndian(length, message.Length);
            hash.AppendData(length);
            hash.AppendData(message);
        }
    }
}
