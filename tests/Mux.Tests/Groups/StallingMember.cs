using Mux.Protocol;
using Mux.TestSupport.EndToEnd;
using Mux.Tests.Peers;

namespace Mux.Tests.Groups;

/// <summary>A member that answers calls at once or, while it stalls, not at all, beside what a model says of it.</summary>
internal sealed class StallingMember : IDisposable
{
    /// <summary>Calls that may be open.</summary>
    public const int Most = 3;

    private const int HeadLength = 4; // of a request, before its body

    private readonly Lock _gate = new(); // guards what is below
    private readonly List<CallId> _open = [];
    private bool _isStalled;

    private StallingMember(Scene scene, MuxServer server) =>
        Client = new RawClient(scene, server.Address, OnRequest, new PeerSettings { MaxCalls = Most });

    public RawClient Client { get; }

    public MuxPeer Peer { get; private set; } = null!;

    /// <summary>The groups that it is in.</summary>
    public HashSet<int> Rooms { get; } = [];

    /// <summary>What it should have heard.</summary>
    public List<int> Expected { get; } = [];

    /// <summary>Calls that it should not have answered.</summary>
    public int Open { get; set; }

    public bool IsStalled
    {
        get
        {
            lock (_gate) return _isStalled;
        }
    }

    /// <summary>The numbers of the calls that have come.</summary>
    public IEnumerable<int> Heard => Client.Requests.Select(static request => NumberOf(request.AsSpan(HeadLength)));

    public static async Task<StallingMember> ConnectAsync(Scene scene, MuxServer server)
    {
        var known = server.Peers.ToHashSet();
        var member = new StallingMember(scene, server);
        await Eventually.Holds(() => server.Peers.Any(peer => !known.Contains(peer)), "the server to know its client");
        member.Peer = server.Peers.Single(peer => !known.Contains(peer));
        return member;
    }

    public void Stall()
    {
        lock (_gate) _isStalled = true;
    }

    /// <summary>Answers what is open, and what comes from now on. Completes when the server knows of it.</summary>
    public Task ResumeAsync()
    {
        lock (_gate)
        {
            _isStalled = false;
            foreach (var id in _open) Client.Respond(id);
            _open.Clear();
        }

        Open = 0;
        return Client.SettleAsync();
    }

    public void Dispose() => Client.Dispose();

    /// <summary>Reads field 1 of the message of a method with one number.</summary>
    private static int NumberOf(ReadOnlySpan<byte> body)
    {
        int number = 0;
        for (int at = 1; at < body.Length; at++) number |= (body[at] & 0x7F) << (7 * (at - 1));
        return number;
    }

    private void OnRequest(RawClient client, CallId id)
    {
        lock (_gate)
        {
            if (_isStalled) _open.Add(id);
            else client.Respond(id);
        }
    }
}
