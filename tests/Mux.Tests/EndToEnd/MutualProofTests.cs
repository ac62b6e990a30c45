using System.Security.Claims;
using System.Security.Cryptography;
using Mux.Engine;
using Mux.Identity;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.Tests.Contracts;
using Mux.Transports;

namespace Mux.Tests.EndToEnd;

/// <summary>Servers that take a shared key and do not have it.</summary>
public sealed class MutualProofTests : EndToEndTests
{
    private static readonly SharedKey s_key = new("clerk-1", RandomNumberGenerator.GetBytes(32), "clerk");

    public static TheoryData<string, string> Proofs => new()
    {
        { "none", "does not prove that it has the key" },
        { "zeros", "sent a wrong proof" },
        { "the client's own", "sent a wrong proof" },
    };

    [Theory(Timeout = TestLimit), MemberData(nameof(Proofs))]
    public async Task An_impostor_that_takes_every_key_gets_no_call(string shown, string says)
    {
        var scene = Begin(TransportKind.Tcp);
        scene.ExpectedEnds.Add(CloseReason.AuthFailed);
        var service = new Guarded();
        var server = scene.StartServer(server => server.AddService<IGuarded>(service), options =>
        {
            options.Identity = new MuxIdentityOptions { Policies = { ["adult"] = static _ => true } };
            options.Identity.Authenticators.Add(new Impostor(shown));
        });
        var sut = scene.CreateChannel(server, options => options.Credentials = new SharedKeyCredentials(s_key)).CreateProxy<IGuarded>();
        var failure = await Assert.ThrowsAsync<MuxException>(() => sut.WhoAmI().AsTask());
        Assert.Equal((MuxStatus.Unauthenticated, MuxExecution.NotExecuted), (failure.Status, failure.Execution));
        Assert.Contains($"{server.Address} accepted the credential but {says}", failure.Message, StringComparison.Ordinal);
        Assert.Equal(0, service.Ran.Count);
        Assert.Equal(0, server.GetStatistics().CallsStarted);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_key_that_is_shown_again_is_proven_by_the_server_again()
    {
        var time = new ManualTime();
        var scene = Begin(TransportKind.InMemory, time);
        var server = scene.StartServer(server => server.AddService<IGuarded>(new Guarded()), options =>
            options.Identity = new MuxIdentityOptions { SharedKeys = { s_key }, SharedKeyLifetime = TimeSpan.FromSeconds(10), Policies = { ["adult"] = static _ => true } });
        var credentials = new CountingCredentials(new SharedKeyCredentials(s_key));
        var sut = scene.CreateChannel(server, options => options.Credentials = credentials).CreateProxy<IGuarded>();
        for (int renewals = 1; renewals <= 3; renewals++)
        {
            Assert.Equal("clerk-1", await sut.WhoAmI());
            await Eventually.Holds(() =>
            {
                if (scene.Logs.Of("PeerAuthenticated").Count > renewals) return true;
                time.Advance(TimeSpan.FromMilliseconds(100));
                return false;
            }, () => $"renewal {renewals}");
        }

        Assert.Equal("clerk-1", await sut.WhoAmI());
        Assert.InRange(credentials.Proofs, 4, 10);
        Assert.Equal(1, scene.Transport.Dialed.Count);
    }

    /// <summary>Takes every proof of a shared key.</summary>
    private sealed class Impostor(string shown) : MuxAuthenticator
    {
        public override string Scheme => "shared-key";

        public override ValueTask<AuthenticationResult> AuthenticateAsync(AuthenticationAttempt attempt, CancellationToken cancellationToken)
        {
            var peer = new PeerIdentity(new ClaimsPrincipal(new ClaimsIdentity([new Claim(ClaimTypes.Name, "anybody")], "impostor")));
            return new(shown switch
            {
                "none" => AuthenticationResult.Success(peer),
                "zeros" => AuthenticationResult.Success(peer, new byte[32]),
                _ => AuthenticationResult.Success(peer, attempt.Token[^32..].ToArray()),
            });
        }
    }

    /// <summary>Passes on to others, as credentials do that change their key.</summary>
    private sealed class CountingCredentials(SharedKeyCredentials inner) : MuxCredentials
    {
        private int _proofs;

        public int Proofs => Volatile.Read(ref _proofs);

        public override string Scheme => inner.Scheme;

        public override ValueTask<byte[]> GetTokenAsync(CredentialRequest request, CancellationToken cancellationToken) => inner.GetTokenAsync(request, cancellationToken);

        public override byte[] GetExpectedProof(CredentialRequest request, ReadOnlySpan<byte> token)
        {
            Interlocked.Increment(ref _proofs);
            return inner.GetExpectedProof(request, token);
        }
    }
}
