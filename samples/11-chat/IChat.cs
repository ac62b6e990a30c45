using Mux;

namespace Chat;

/// <summary>
/// What the server does for its clients. Of several servers with the same rooms, each knows the names, the answers and the history of its own clients: only
/// what goes to a group goes to all servers.
/// </summary>
[MuxService("chat.Chat")]
public interface IChat
{
    /// <summary>Enters a room. The server asks first whether its rules are accepted.</summary>
    /// <returns>The names of all users in the room.</returns>
    ValueTask<string[]> Enter(string room, string name, MuxCallOptions? options = null, CancellationToken cancellationToken = default);

    ValueTask Leave(string room, MuxCallOptions? options = null);

    ValueTask Say(string room, string text, MuxCallOptions? options = null);

    /// <summary>Asks everybody else in a room, and waits for the answers.</summary>
    ValueTask<Vote> Ask(string room, string question, MuxCallOptions? options = null, CancellationToken cancellationToken = default);

    ValueTask<string[]> Who(string room);

    /// <summary>The names of all users that are connected, in any room.</summary>
    ValueTask<string[]> Online();

    /// <summary>Reads what was said last in a room, the oldest first.</summary>
    IAsyncEnumerable<Line> History(string room, int lines, CancellationToken cancellationToken = default);

    /// <summary>Hands over all that is kept of a room, block by block, if <paramref name="target"/> agrees.</summary>
    /// <returns>Number of lines that were written.</returns>
    ValueTask<int> Export(string room, IExport target, CancellationToken cancellationToken = default);
}
