using System.Security.Cryptography;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Connections;
using Mux.Identity;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Wire;

namespace Mux.Core.Tests.Identity;

/// <summary>Decisions on credentials.</summary>
public sealed class AdmissionControlTests
{
    private static readonly SharedKey s_key = new("a", RandomNumberGenerator.GetBytes(32));

    private static readonly byte[] s_nonce = RandomNumberGenerator.GetBytes(32);

    private readonly ManualTime _time = new();

    [Fact]
    public async Task An_address_that_fails_too_often_is_answered_a_second_later_and_a_good_credential_at_once()
    {
        var sut = new AdmissionControl(new MuxIdentityOptions { SharedKeys = { s_key } }, [], new Clock(_time), NullLogger.Instance);
        for (int i = 0; i < 5; i++) Assert.Null((await DecideAsync(sut, [0]).Within("a refusal")).Access);
        long start = _time.GetTimestamp();

        var sixth = DecideAsync(sut, [0]);
        Assert.NotNull((await DecideAsync(sut, Good()).Within("an admittance beside it")).Access);
        await Eventually.Holds(
            () =>
            {
                _time.Advance(TimeSpan.FromMilliseconds(10));
                return sixth.IsCompleted;
            },
            () => "the late refusal");

        Assert.Null((await sixth).Access);
        Assert.InRange(_time.GetElapsedTime(start), TimeSpan.FromSeconds(1), TimeSpan.MaxValue);
    }

    [Fact]
    public async Task A_credential_is_wiped_when_it_is_decided()
    {
        var sut = new AdmissionControl(new MuxIdentityOptions { SharedKeys = { s_key } }, [], new Clock(_time), NullLogger.Instance);
        var credential = Good();
        Assert.NotNull((await DecideAsync(sut, credential).Within("an admittance")).Access);
        Assert.All(credential, b => Assert.Equal(0, b));
    }

    [Theory]
    [InlineData(new byte[0], "names no scheme")]
    [InlineData(new byte[] { 0 }, "no credential")]
    [InlineData(new byte[] { 0, 1 }, "names no scheme")]
    [InlineData(new byte[] { 2, 97 }, "names no scheme")]
    [InlineData(new byte[] { 1, 65 }, "names no scheme")]
    [InlineData(new byte[] { 1, 97 }, "There is no scheme 'a'")]
    [InlineData(new byte[] { 65 }, "names no scheme")]
    public async Task What_is_no_credential_is_refused_with_a_reason(byte[] credential, string reason)
    {
        var sut = new AdmissionControl(new MuxIdentityOptions { SharedKeys = { s_key } }, [], new Clock(_time), NullLogger.Instance);
        var decision = await DecideAsync(sut, credential).Within("a refusal");
        Assert.Null(decision.Access);
        Assert.Contains(reason, decision.Reason, StringComparison.Ordinal);
    }

    private static byte[] Good() => AuthCredential.Make("shared-key", SharedKeyProof.Make(s_key, s_nonce));

    private static Task<Admittance> DecideAsync(AdmissionControl sut, byte[] credential) => sut.DecideAsync(new PeerEvidence("10.0.0.7:5", credential, s_nonce, null), CancellationToken.None);
}
