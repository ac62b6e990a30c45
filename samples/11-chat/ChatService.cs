using Mux;

namespace Chat;

/// <summary>The chat: a room is a group of connections, and the members of this group are in the room.</summary>
public sealed class ChatService(MuxPeers peers, MuxGroups<string, IChatClient> rooms, ChatLog log) : IChat
{
    private const int Block = 20; // lines of an export

    public async ValueTask<string[]> Enter(string room, string name, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        var caller = options!.Caller!;
        var member = caller.State<Member>();
        if (peers.Any(peer => peer != caller && NameOf(peer) == name)) throw new MuxException(MuxStatus.AlreadyExists, $"Somebody is called {name} already.");
        if (!await caller.Get<IChatClient>().Confirm($"Do you accept the rules of {room}?", cancellationToken)) throw new MuxException(MuxStatus.Aborted, "No rules, no chat.");
        member.Name = name;
        if (member.Enter(room)) caller.Closed.Register(() => OnGone(member)); // once for a connection
        rooms[room].Add(caller); // it leaves by itself when its connection ends
        await rooms[room].Except(caller).Entered(room, name);
        return await Who(room);
    }

    public async ValueTask Leave(string room, MuxCallOptions? options)
    {
        var caller = options!.Caller!;
        if (!caller.State<Member>().Leave(room)) return;
        rooms[room].Remove(caller);
        await rooms[room].All.Left(room, NameOf(caller));
    }

    // Encoded once for all. It waits only for a member whose queue is full, and for that one not for long: its speaker is slowed down then.
    public ValueTask Say(string room, string text, MuxCallOptions? options)
    {
        var caller = options!.Caller!;
        if (!rooms[room].Contains(caller)) throw new MuxException(MuxStatus.FailedPrecondition, $"Enter {room} first.");
        var line = new Line(NameOf(caller), text);
        log.Add(room, line);
        return rooms[room].All.Said(room, line);
    }

    public async ValueTask<Vote> Ask(string room, string question, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        var answers = await Task.WhenAll(rooms[room].Where(peer => peer != options!.Caller).Select(async peer =>
        {
            var name = peer.Address; // of one that has left before it is asked
            try
            {
                name = NameOf(peer);
                return (Answer: (bool?)await peer.Get<IChatClient>().Confirm(question, cancellationToken), Why: string.Empty);
            }
            catch (MuxException error)
            {
                return (null, $"{name}: {error.Message}"); // gone meanwhile, or asked too much: the others are not held up
            }
        }));
        var reasons = string.Join("; ", answers.Select(answer => answer.Why).Where(why => why.Length > 0));
        return new Vote(answers.Count(answer => answer.Answer is true), answers.Count(answer => answer.Answer is false), answers.Count(answer => answer.Answer is null), reasons);
    }

    public ValueTask<string[]> Who(string room) => new([.. rooms[room].Select(NameOf).Order()]);

    public ValueTask<string[]> Online() => new([.. peers.Select(NameOf).Where(name => name.Length > 0).Order()]);

    public IAsyncEnumerable<Line> History(string room, int lines, CancellationToken cancellationToken) => log.Last(room, lines).ToAsyncEnumerable();

    public async ValueTask<int> Export(string room, IExport target, CancellationToken cancellationToken)
    {
        var lines = log.Last(room, ChatLog.Kept);
        if (lines.Length == 0 || !await target.Confirm($"Export {lines.Length} lines of {room}?", cancellationToken)) return 0;
        int written = 0;
        try
        {
            foreach (var block in lines.Chunk(Block))
            {
                await target.Write(block, cancellationToken);
                written += block.Length;
                await target.Report(100 * written / lines.Length);
            }
        }
        catch (MuxException error)
        {
            throw new MuxException(MuxStatus.Aborted, $"The export ended after {written} lines: {error.Message}"); // else its caller would learn nothing of it
        }

        return written;
    }

    private static string NameOf(MuxPeer peer) => peer.State<Member>().Name;

    private void OnGone(Member member)
    {
        foreach (var room in member.Rooms) _ = rooms[room].All.Left(room, member.Name).AsTask(); // no wait: the call is in the queues of all members that stay
    }
}
