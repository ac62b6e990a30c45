namespace Mux.Tests.Reflection;

/// <summary>A service for managers alone.</summary>
[MuxService("test.Cellar")]
[MuxAuthorize(Roles = "manager")]
public interface ICellar
{
    ValueTask<Bottle> Fetch(Door door);
}
