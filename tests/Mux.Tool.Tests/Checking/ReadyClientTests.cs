using Mux.Identity;
using Mux.Tool.Checking;
using Mux.Tool.Serving;
using Mux.Transports.InMemory;

namespace Mux.Tool.Tests.Checking;

public sealed class ReadyClientTests
{
    [Theory]
    [InlineData(false, true)]
    [InlineData(true, true)]
    [InlineData(false, false)]
    public void A_channel_has_the_credentials_and_what_is_allowed_of_them(bool allowPlaintext, bool requireChallenge)
    {
        var credentials = new BearerCredentials(_ => new("token"));
        var links = new LinkOptions { Credentials = credentials, AllowPlaintext = allowPlaintext, RequireChallenge = requireChallenge };

        var options = ReadyClient.OptionsOf(MuxAddress.Parse("mux://orders.example:7070"), new InMemoryTransport(), links);

        Assert.Equal((credentials, allowPlaintext, requireChallenge), (options.Credentials, options.AllowPlaintext, options.RequireChallenge));
    }
}
