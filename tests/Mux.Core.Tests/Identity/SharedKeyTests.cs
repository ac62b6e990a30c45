using System.Security.Claims;
using System.Security.Cryptography;
using Mux.Identity;
using Mux.Server;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Identity;

/// <summary>What shows that a side has a key.</summary>
public sealed class SharedKeyTests
{
    private static readonly byte[] s_secret = RandomNumberGenerator.GetBytes(32);

    private static readonly byte[] s_challenge = RandomNumberGenerator.GetBytes(32);

    [Fact]
    public async Task A_proof_is_taken_and_shows_id_and_roles()
    {
        var user = (await AuthenticateAsync(SharedKeyProof.Make(new SharedKey("orders-1", s_secret), s_challenge, default))).Identity!.User;
        Assert.Equal("orders-1", user.Identity!.Name);
        Assert.Equal("orders-1", user.FindFirst(ClaimTypes.NameIdentifier)?.Value);
        Assert.True(user.Identity.IsAuthenticated);
        Assert.True(user.IsInRole("reader"));
    }

    [Fact]
    public async Task A_key_may_be_changed_while_the_old_one_is_still_taken()
    {
        var next = RandomNumberGenerator.GetBytes(64);
        var sut = new SharedKeyAuthenticator([new SharedKey("orders-1", s_secret), new SharedKey("orders-2", next)], null, TimeProvider.System);
        foreach (var key in new[] { new SharedKey("orders-1", s_secret), new SharedKey("orders-2", next) })
            Assert.Equal(key.Id, (await sut.AuthenticateAsync(Attempt(SharedKeyProof.Make(key, s_challenge, default), s_challenge), TestContext.Current.CancellationToken)).Identity?.User.Identity?.Name);
    }

    [Fact]
    public async Task A_proof_for_another_challenge_is_refused()
    {
        var token = SharedKeyProof.Make(new SharedKey("orders-1", s_secret), RandomNumberGenerator.GetBytes(32), default);
        Assert.Null((await AuthenticateAsync(token)).Identity);
    }

    [Fact]
    public async Task A_proof_by_another_key_or_of_an_id_that_is_not_there_is_refused()
    {
        Assert.Null((await AuthenticateAsync(SharedKeyProof.Make(new SharedKey("orders-1", RandomNumberGenerator.GetBytes(32)), s_challenge, default))).Identity);
        Assert.Null((await AuthenticateAsync(SharedKeyProof.Make(new SharedKey("orders-2", s_secret), s_challenge, default))).Identity);
    }

    [Fact]
    public void Two_proofs_of_one_challenge_differ()
    {
        var key = new SharedKey("orders-1", s_secret);
        Assert.NotEqual(SharedKeyProof.Make(key, s_challenge, default), SharedKeyProof.Make(key, s_challenge, default));
    }

    [Fact]
    public void A_proof_that_is_changed_or_cut_anywhere_is_refused() => Seeds.ForEach(500, seed =>
    {
        var random = new Random(seed);
        var token = SharedKeyProof.Make(new SharedKey("orders-1", s_secret), s_challenge, default);
        if (random.Next(2) == 0) token[random.Next(token.Length)] ^= (byte)(1 << random.Next(8));
        else token = token[..random.Next(token.Length)];
#pragma warning disable VSTHRD002, xUnit1031 // it is complete
        Assert.Null(AuthenticateAsync(token).AsTask().GetAwaiter().GetResult().Identity);
#pragma warning restore VSTHRD002, xUnit1031
    });

    [Theory]
    [InlineData("", 32, "is not an id of a key")]
    [InlineData("a b", 32, "is not an id of a key")]
    [InlineData("a", 31, "is 31 bytes long: expected 32 to 1024")]
    [InlineData("a", 1025, "is 1025 bytes long")]
    public void A_key_without_an_id_or_of_a_wrong_length_is_refused(string id, int length, string says) =>
        Assert.Contains(says, Assert.Throws<ArgumentException>(() => new SharedKey(id, new byte[length])).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData(1, 32)]
    [InlineData(15, 32)]
    [InlineData(15, 1024)]
    public void A_key_with_fewer_than_16_distinct_bytes_is_refused_whatever_its_length(int distinct, int length) =>
        Assert.Contains($"The key 'a' has {distinct} distinct byte values; at least 16 are needed: use random bytes", Assert.Throws<ArgumentException>(() => new SharedKey("a", Repeating(distinct, length))).Message, StringComparison.Ordinal);

    [Fact]
    public void A_key_with_16_distinct_bytes_is_accepted() => Assert.Equal("a", new SharedKey("a", Repeating(16, 32)).Id);

    [Fact]
    public void A_key_says_nothing_of_itself_but_its_id()
    {
        var key = SharedKey.FromBase64("a", Convert.ToBase64String(s_secret));
        Assert.Equal("a", key.ToString());
        Assert.DoesNotContain("abcd", Assert.Throws<ArgumentException>(() => SharedKey.FromBase64("a", "abcd?")).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1, 1, "")]
    [InlineData(0, 0, "")]
    [InlineData(1, 2, "or made the proof for another challenge or certificate")]
    [InlineData(1, 0, "is bound to a TLS certificate, but this server sees no TLS")]
    [InlineData(0, 1, "is not bound to this server's certificate")]
    public async Task A_proof_is_taken_on_the_connection_that_it_was_made_for_alone(byte made, byte came, string reason)
    {
        var result = await AuthenticateAsync(SharedKeyProof.Make(new SharedKey("orders-1", s_secret), s_challenge, Binding(made)), Binding(came));
        Assert.Equal(reason.Length == 0, result.Identity is not null);
        Assert.Contains(reason, result.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_proof_cannot_be_made_to_look_unbound()
    {
        var token = SharedKeyProof.Make(new SharedKey("orders-1", s_secret), s_challenge, Binding(1));
        token[1 + "orders-1".Length] = 0;
        Assert.Null((await AuthenticateAsync(token)).Identity);
        Assert.Null((await AuthenticateAsync(token, Binding(1))).Identity);
    }

    /// <summary>As PROTOCOL.md section 3.7 says it, so that another implementation finds the same.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_proof_covers_label_role_id_binding_nonces_and_certificate(bool isBound)
    {
        var binding = isBound ? Binding(9) : [];
        var token = SharedKeyProof.Make(new SharedKey("orders-1", s_secret), s_challenge, binding);
        byte[] claim = [8, .. "orders-1"u8, (byte)(isBound ? 1 : 0), .. token[^48..^32]];
        byte[] covered = [.. "mux/1 shared-key 3"u8, 0, 1, .. claim, .. s_challenge, .. binding];
        Assert.Equal(claim, token[..^32]);
        Assert.Equal(HMACSHA256.HashData(s_secret, covered), token[^32..]);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_taken_proof_is_answered_by_one_over_the_same_with_the_role_of_the_server(bool isBound)
    {
        var binding = isBound ? Binding(9) : [];
        var key = new SharedKey("orders-1", s_secret);
        var token = SharedKeyProof.Make(key, s_challenge, binding);
        byte[] covered = [.. "mux/1 shared-key 3"u8, 0, 2, .. token[..^32], .. s_challenge, .. binding];
        var proof = (await AuthenticateAsync(token, binding)).Proof.ToArray();
        Assert.Equal(HMACSHA256.HashData(s_secret, covered), proof);
        Assert.NotEqual(token[^32..], proof);
        Assert.Equal(proof, new SharedKeyCredentials(key).GetExpectedProof(new CredentialRequest { Challenge = s_challenge, ChannelBinding = binding }, token));
    }

    [Fact]
    public async Task A_proof_that_is_refused_is_answered_by_none()
    {
        var token = SharedKeyProof.Make(new SharedKey("orders-1", RandomNumberGenerator.GetBytes(32)), s_challenge, default);
        Assert.True((await AuthenticateAsync(token)).Proof.IsEmpty);
    }

    [Fact]
    public async Task The_proof_of_a_server_is_none_of_a_client()
    {
        var key = new SharedKey("orders-1", s_secret);
        var token = SharedKeyProof.Make(key, s_challenge, default);
        var answer = SharedKeyProof.MakeAnswer(key, token, s_challenge, default);
        Assert.Null((await AuthenticateAsync([.. token[..^32], .. answer])).Identity);
    }

    private static byte[] Repeating(int distinct, int length) => [.. Enumerable.Range(0, length).Select(at => (byte)(at % distinct))];

    private static byte[] Binding(byte certificate) => certificate == 0 ? [] : SHA256.HashData([certificate]);

    private static ValueTask<AuthenticationResult> AuthenticateAsync(byte[] token, byte[]? binding = null) =>
        new SharedKeyAuthenticator([new SharedKey("orders-1", s_secret, "reader")], null, TimeProvider.System).AuthenticateAsync(Attempt(token, s_challenge, binding), TestContext.Current.CancellationToken);

    private static AuthenticationAttempt Attempt(byte[] token, byte[] challenge, byte[]? binding = null) => new() { Token = token, Challenge = challenge, ChannelBinding = binding, RemoteAddress = string.Empty };
}
