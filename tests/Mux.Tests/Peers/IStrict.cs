namespace Mux.Tests.Peers;

/// <summary>What a client serves to servers that it can be sure of, and to all.</summary>
[MuxService("test.Strict")]
public interface IStrict
{
    /// <returns>The name of the caller.</returns>
    [MuxAuthorize]
    ValueTask<string> WhoAmI(MuxCallOptions? options = null);

    ValueTask<string> Greet(MuxCallOptions? options = null);
}

/// <summary>What no client can serve: a certificate has no role.</summary>
[MuxService("test.Roles")]
public interface IRoles
{
    [MuxAuthorize(Roles = "clerk")]
    ValueTask File();
}
