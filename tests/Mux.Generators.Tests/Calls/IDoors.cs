namespace Mux.Generators.Tests.Calls;

/// <summary>Who may call what.</summary>
[MuxService("test.Doors")]
[MuxAuthorize(Roles = "guest")]
public interface IDoors : IHall
{
    ValueTask<int> Plain();

    [MuxAuthorize("first")]
    [MuxAuthorize("second", Roles = "a,b")]
    ValueTask<int> Strict();

    [MuxAllowAnonymous]
    ValueTask<int> Open();

#pragma warning disable MUX0055 // this is what is tested
    [MuxAllowAnonymous]
    [MuxAuthorize]
    ValueTask<int> Both();
#pragma warning restore MUX0055
}
