namespace Mux.Tests.Forwarding;

/// <summary>Calls of a test, which ends them if it is ended itself.</summary>
internal static class Asking
{
    public static ValueTask<byte[]> AskNow(this IShop shop, byte[] question, MuxCallOptions? options = null) =>
        shop.Ask(question, options, TestContext.Current.CancellationToken);
}
