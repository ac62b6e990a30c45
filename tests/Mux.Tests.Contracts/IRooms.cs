namespace Mux.Tests.Contracts;

/// <summary>Rooms that several servers share.</summary>
[MuxService("test.Rooms")]
public interface IRooms
{
    ValueTask Enter(string room, MuxCallOptions? options = null);

    /// <summary>Calls all in a room, at all servers, with the next numbers.</summary>
    ValueTask Say(string room, int speaker, int first, int count);

    /// <summary>Gets the id of the caller at its server.</summary>
    ValueTask<string> Name(MuxCallOptions? options = null);

    /// <summary>Calls a client of any server.</summary>
    ValueTask Whisper(string id, int speaker, int number);
}

/// <summary>The members of a room.</summary>
[MuxService("test.Guest")]
public interface IGuest
{
#pragma warning disable MUX0066 // no handler waits for the end of a one-way call
    /// <summary>Serial: calls arrive in order, and handlers of another mode overlap where the machine is busy.</summary>
    [MuxMethod(OneWay = true, Dispatch = MuxDispatchMode.Serial)]
    ValueTask Heard(int speaker, int number);
#pragma warning restore MUX0066
}
