namespace Mux.Tests.Contracts;

/// <summary>Rooms that several servers share.</summary>
[MuxService("test.Rooms")]
public interface IRooms
{
    ValueTask Enter(string room, MuxCallOptions? options = null);

    /// <summary>Calls all in a room, at all servers, with the next numbers.</summary>
    ValueTask Say(string room, int speaker, int first, int count);
}

/// <summary>The members of a room.</summary>
[MuxService("test.Guest")]
public interface IGuest
{
    [MuxMethod(OneWay = true)]
    ValueTask Heard(int speaker, int number);
}
