using Mux;

namespace Chat;

/// <summary>
/// What a client does for the server. One-way methods go to all members of a room at once; each member is asked the other one. A client runs one-way methods one
/// after the other, so it shows what was said in the order in which it was said.
/// </summary>
[MuxService("chat.Client")]
public interface IChatClient
{
    [MuxMethod(OneWay = true)]
    ValueTask Entered(string room, string name);

    [MuxMethod(OneWay = true)]
    ValueTask Left(string room, string name);

    [MuxMethod(OneWay = true)]
    ValueTask Said(string room, Line line);

    ValueTask<bool> Confirm(string question, CancellationToken cancellationToken = default);
}
