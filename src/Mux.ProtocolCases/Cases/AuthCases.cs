using Mux.Engine;
using Mux.Identity;
using Mux.Protocol;
using Mux.Server;

namespace Mux.ProtocolCases.Cases;

/// <summary>Input that is not allowed before, during and after authentication. The accepting side reports all of them alike.</summary>
internal static class AuthCases
{
    private static readonly byte[] s_credential = Raw.Frame(FrameKind.Auth, default, [5, .. "probe"u8, 1]);

    private static readonly byte[] s_schemes = [5, .. "probe"u8, 10, .. "shared-key"u8, 6, .. "bearer"u8]; // makes a client show its credential

    private static readonly byte[] s_challenge = Raw.Frame(FrameKind.Auth, default, [.. new byte[32], .. s_schemes]);

    private static readonly byte[] s_nonce = [.. Enumerable.Range(1, AuthChallenge.NonceLength).Select(at => (byte)at)];

    private static readonly ProvingCredentials s_prover = new();

    public static IEnumerable<BadInputCase> All { get; } =
    [
        ToServer("A_call_before_authentication", [.. Raw.Define(0, 0, "test/Echo"u8), .. Raw.Request(1, 1, 0)], "before authentication"),
        ToServer("A_call_before_authentication_whose_payload_never_comes", Raw.Header(FrameKind.Request, new(1, 1), 4), "before authentication"),
        ToServer("A_call_behind_a_credential_that_is_looked_at", [.. s_credential, .. Raw.Define(0, 0, "test/Echo"u8)], "before authentication"),
        ToServer("A_CREDIT_before_authentication", Raw.Frame(FrameKind.Credit, default, [1, 0, 0, 0]), "before authentication"),
        ToServer("A_CANCEL_before_authentication", Raw.Frame(FrameKind.Cancel, new(1, 1), [0]), "before authentication"),
        ToServer("A_reply_before_authentication", Raw.Frame(FrameKind.Response, new(1, 1)), "before authentication"),
        ToServer("An_extension_before_authentication", Raw.Frame(FrameKind.FirstExtension), "before authentication"),
        ToServer("An_undefined_kind_before_authentication", Raw.Frame(0), "0x00"),
        ToServer("A_second_HELLO_before_authentication", Raw.Hello(1, 1)[Preface.Size..], "before authentication"),
        ToServer("A_token_of_8193_bytes", Raw.Frame(FrameKind.Auth, default, [5, .. "probe"u8, .. new byte[8193]]), "8199"),
        ToServer("An_AUTH_of_8193_bytes", Raw.Header(FrameKind.Auth, default, 8193), "8193"),
        ToServer("An_AUTH_with_the_flag_answer_of_a_client", Raw.Frame(FrameKind.Auth, default, new byte[36], FrameFlags.Answer), "not asked for"),
        ToServer("A_second_credential_while_one_is_looked_at", [.. s_credential, .. s_credential], "previous one"),
        ToServer("More_than_16_KiB_before_authentication",
            [.. Enumerable.Repeat(Raw.Frame(FrameKind.Ping, default, new byte[8], FrameFlags.Answer), 1_025).SelectMany(ping => ping)], "16384"),
        ToServer("An_acknowledgement_before_authentication", Raw.Frame(FrameKind.GoAway, default, [], FrameFlags.Answer), "not sent"),

        ToClient("A_request_of_a_server_that_awaits_a_credential", [.. Raw.Define(0, 0, "test/Echo"u8)], ConnectionCode.ProtocolError, "before authentication"),
        ToClient("A_reply_of_a_server_that_awaits_a_credential", Raw.Frame(FrameKind.Response, new(1, 1)), ConnectionCode.ProtocolError,
            "before authentication"),
        ToClient("A_challenge_of_31_bytes", Raw.Frame(FrameKind.Auth, default, new byte[31]), ConnectionCode.ProtocolError, "31"),
        ToClient("A_challenge_with_an_empty_scheme", Raw.Frame(FrameKind.Auth, default, [.. new byte[32], 0]), ConnectionCode.ProtocolError, "Scheme number 1"),
        ToClient("A_challenge_with_a_scheme_beyond_it", Raw.Frame(FrameKind.Auth, default, [.. new byte[32], 1, (byte)'a', 2, (byte)'b']),
            ConnectionCode.ProtocolError, "Scheme number 2"),
        ToClient("A_challenge_with_a_scheme_in_capitals", Raw.Frame(FrameKind.Auth, default, [.. new byte[32], 1, (byte)'A']), ConnectionCode.ProtocolError,
            "Scheme number 1"),
        ToClient("A_challenge_of_17_schemes",
            Raw.Frame(FrameKind.Auth, default, [.. new byte[32], .. Enumerable.Repeat<byte[]>([1, (byte)'a'], 17).SelectMany(scheme => scheme)]),
            ConnectionCode.ProtocolError, "Scheme number 17"),
        ToClient("A_second_challenge", [.. s_challenge, .. s_challenge], ConnectionCode.ProtocolError,
            "second challenge") with { Options = new ConnectionOptions { Credentials = new FixedCredentials() } },
        ToClient("An_acceptance_before_a_credential", Raw.Frame(FrameKind.Auth, default, new byte[36], FrameFlags.Answer), ConnectionCode.ProtocolError,
            "not sent"),
        ToClient("An_acceptance_of_35_bytes", Raw.Frame(FrameKind.Auth, default, new byte[35], FrameFlags.Answer), ConnectionCode.ProtocolError, "35"),
        ToClient("An_acceptance_of_37_bytes", Raw.Frame(FrameKind.Auth, default, new byte[37], FrameFlags.Answer), ConnectionCode.ProtocolError, "37"),

        ToProver("An_acceptance_without_a_proof", [], "does not prove that it has the key"),
        ToProver("An_acceptance_with_a_proof_of_zeros", new byte[AuthAccepted.ProofLength], "wrong proof"),
        ToProver("An_acceptance_with_the_proof_of_the_credential", s_prover.ReflectedProof(s_nonce), "wrong proof") with { Proof = (_, token, _, _) =>
            token[^AuthAccepted.ProofLength..] },
        ToProver("An_acceptance_with_a_proof_for_another_channel_binding", s_prover.Proof(s_nonce, channelBinding: new byte[32]),
            "wrong proof") with { Proof = (key, token, challenge, binding) =>
            SharedKeyProof.MakeAnswer(key, token, challenge, binding.IsEmpty ? new byte[32] : default) },
        ToProver("An_acceptance_with_a_proof_for_another_challenge", s_prover.Proof(new byte[AuthChallenge.NonceLength]),
            "wrong proof") with { Proof = (key, token, _, binding) => SharedKeyProof.MakeAnswer(key, token, new byte[AuthChallenge.NonceLength], binding) },
        ToProver("An_acceptance_with_a_proof_for_another_nonce_of_the_client", s_prover.Proof(s_nonce, clientNonce: 1),
            "wrong proof") with { Proof = WithAnotherNonce },
        ToProver("An_acceptance_with_a_proof_that_the_scheme_does_not_have", s_prover.Proof(s_nonce),
            "expect no proof") with { Options = new ConnectionOptions { Credentials = new FixedCredentials() },
            Challenge = Raw.Frame(FrameKind.Auth, default, [.. s_nonce, .. s_schemes]) },
    ];

    private static BadInputCase ToServer(string name, byte[] bytes, string says) =>
        new(name, bytes, new Reaction(CloseReason.AuthFailed, ConnectionCode.AuthFailed, []) { Says = [says], Tells = "Authentication failed." })
        {
            Accepting = true,
            Stage = BadInputStage.Authenticating,
            Options = new ConnectionOptions { Admission = new UndecidedAdmission() },
        };

    private static BadInputCase ToClient(string name, byte[] bytes, ConnectionCode code, string says) => new(name, bytes, Reaction.GoAway(code, says))
    {
        Accepting = false,
        Stage = BadInputStage.Authenticating,
    };

    /// <summary>An acceptance of a credential that requires a proof of the peer.</summary>
    private static BadInputCase ToProver(string name, byte[] proof, string says)
    {
        byte[] accepted = [.. new byte[sizeof(uint) + AuthChallenge.NonceLength], .. proof];
        return new(name, Raw.Frame(FrameKind.Auth, default, accepted, FrameFlags.Answer),
            new Reaction(CloseReason.AuthFailed, ConnectionCode.AuthFailed, []) { Says = [says], Tells = "Authentication failed." })
        {
            Accepting = false,
            Stage = BadInputStage.Authenticating,
            Challenge = Raw.Frame(FrameKind.Auth, default, [.. s_nonce, 10, .. "shared-key"u8]),
            Options = new ConnectionOptions { Credentials = s_prover },
        };
    }

    private static byte[] WithAnotherNonce(SharedKey key, byte[] token, byte[] challenge, ReadOnlySpan<byte> channelBinding)
    {
        var another = token.AsSpan().ToArray();
        another[^(AuthAccepted.ProofLength + 1)] ^= 1; // the nonce is before the mac
        return SharedKeyProof.MakeAnswer(key, another, challenge, channelBinding);
    }

    /// <summary>Examines a credential for as long as the connection is open.</summary>
    private sealed class UndecidedAdmission : IAdmission
    {
        public IReadOnlyList<string> Schemes { get; } = ["probe"];

        public bool TakesIdentityOfLink => false;

        public Task<Admittance> DecideAsync(PeerEvidence evidence, CancellationToken ending) =>
            new TaskCompletionSource<Admittance>(TaskCreationOptions.RunContinuationsAsynchronously).Task.WaitAsync(ending);
    }
}
