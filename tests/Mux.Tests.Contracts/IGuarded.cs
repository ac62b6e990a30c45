namespace Mux.Tests.Contracts;

/// <summary>A service that not everybody may call.</summary>
[MuxService("test.Guarded")]
[MuxAuthorize]
public interface IGuarded
{
    /// <summary>The name of the caller.</summary>
    ValueTask<string> WhoAmI(MuxCallOptions? options = null);

    [MuxAllowAnonymous]
    ValueTask<string> Greet(MuxCallOptions? options = null);

    [MuxAuthorize(Roles = "clerk, manager")]
    ValueTask<int> File(int number);

    [MuxAuthorize(Roles = "manager")]
    [MuxAuthorize("adult")]
    ValueTask<int> Sign(int number);

    [MuxAuthorize("adult")]
    IAsyncEnumerable<int> Count(int last, CancellationToken cancellationToken = default);

    [MuxAuthorize("adult")]
    ValueTask<int> Sum(IAsyncEnumerable<int> numbers);

    [MuxAuthorize("adult")]
    [MuxMethod(OneWay = true)]
    ValueTask Note(int number);
}
