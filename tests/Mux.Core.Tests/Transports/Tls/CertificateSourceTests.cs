using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Mux.Runtime;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.TestSupport.Transports.Tls;
using Mux.Transports.Tls;

namespace Mux.Core.Tests.Transports.Tls;

/// <summary>Certificates in files: what is read, when it is read again, and what is said of files that cannot be used.</summary>
public sealed class CertificateSourceTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("mux-tls-").FullName;
    private readonly ManualTime _time = new();
    private readonly LogCollector _logs = new();

    private string CertificatePath => Path.Combine(_folder, "server.pem");

    private string KeyPath => Path.Combine(_folder, "server.key");

    public void Dispose()
    {
        Directory.Delete(_folder, recursive: true);
        _logs.Dispose();
    }

    [Fact]
    public async Task A_changed_file_is_used_after_a_second_and_not_looked_at_before()
    {
        var (first, second) = (Write(), default(X509Certificate2));
        var sut = Source();
        Assert.Equal(first.Thumbprint, sut.Current!.TargetCertificate.Thumbprint);

        second = Write();
        Assert.Equal(first.Thumbprint, sut.Current!.TargetCertificate.Thumbprint);
        _time.Advance(TimeSpan.FromSeconds(1));
        _ = sut.Current; // begins a look, and does not wait for it for longer than a handshake may
        Assert.Contains(second.Thumbprint, Assert.Single(await _logs.ReachAsync("TlsCertificateReloaded", 1)).Text, StringComparison.Ordinal);
        Assert.Equal(second.Thumbprint, sut.Current!.TargetCertificate.Thumbprint);
    }

    [Fact]
    public void A_half_written_file_keeps_the_old_certificate_and_is_told_once()
    {
        var first = Write();
        var sut = Source();
        File.WriteAllText(CertificatePath, File.ReadAllText(CertificatePath)[..200]);
        for (int i = 0; i < 3; i++)
        {
            _time.Advance(TimeSpan.FromSeconds(1));
            Assert.Equal(first.Thumbprint, sut.Current!.TargetCertificate.Thumbprint);
        }

        Assert.Contains(CertificatePath, Assert.Single(_logs.Of("TlsCertificateKept")).Text, StringComparison.Ordinal);
        var second = Write();
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(second.Thumbprint, sut.Current!.TargetCertificate.Thumbprint);
    }

    [Fact]
    public async Task A_pipe_is_told_once_and_never_waited_for_and_the_file_after_it_is_read()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The test makes a pipe with a name.");
        var first = Write();
        var sut = Source();
        File.Delete(CertificatePath);
        await MakePipeAsync(CertificatePath);
        for (int i = 0; i < 20; i++)
        {
            _time.Advance(TimeSpan.FromMinutes(1));
            Assert.Equal(first.Thumbprint, sut.Current!.TargetCertificate.Thumbprint);
        }

        var told = Assert.Single(_logs.Of("TlsCertificateKept")).Text;
        Assert.Contains($"'{CertificatePath}' is a pipe or a device: expected a regular file.", told, StringComparison.Ordinal);
        File.Delete(CertificatePath);
        var second = Write();
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(second.Thumbprint, sut.Current!.TargetCertificate.Thumbprint);
    }

    [Theory]
    [InlineData(nameof(TlsServerOptions.CertificatePath))]
    [InlineData(nameof(TlsServerOptions.CertificateKeyPath))]
    [InlineData(nameof(TlsServerOptions.TrustedRootsPath))]
    public async Task Options_with_a_pipe_are_refused_and_name_it(string option)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The test makes a pipe with a name.");
        Write();
        var pipe = Path.Combine(_folder, "pipe");
        await MakePipeAsync(pipe);
        var options = new TlsServerOptions { CertificatePath = CertificatePath, CertificateKeyPath = KeyPath };
        if (option == nameof(TlsServerOptions.TrustedRootsPath)) options.Revocation = X509RevocationMode.NoCheck;
        typeof(TlsServerOptions).GetProperty(option)!.SetValue(options, pipe);
        var failures = await Task.Run(() => options.Validate().ToList()).Within("the options are read");
        Assert.Contains($"'{pipe}' is a pipe or a device: expected a regular file.", Assert.Single(failures).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task However_many_looks_block_the_log_tells_when_the_next_one_comes_and_it_comes()
    {
        var first = Write();
        var sut = Source();
        using var isBlocked = new SemaphoreSlim(0);
        using var unblocks = new ManualResetEventSlim();
        _logs.OnWritten = _ => // the log blocks in place of a disk
        {
            if (Thread.CurrentThread.Name != "Mux certificate") return;
            isBlocked.Release();
            unblocks.Wait(TestContext.Current.CancellationToken);
        };
        _time.Advance(TimeSpan.FromSeconds(1));
        foreach (int minutes in (int[])[1, 2, 4, 8, 16])
        {
            File.WriteAllText(CertificatePath, new string('x', minutes)); // each look has something to tell
            Assert.Equal(first.Thumbprint, sut.Current!.TargetCertificate.Thumbprint);
            await isBlocked.WaitAsync(TestContext.Current.CancellationToken).Within("a look blocks");
            _time.Advance(TimeSpan.FromSeconds(10));
            Assert.Equal(first.Thumbprint, sut.Current!.TargetCertificate.Thumbprint);
            Assert.EndsWith($"The next attempt is in {minutes} min.", _logs.Of("TlsCertificateKept")[^1].Text, StringComparison.Ordinal);
            _time.Advance(TimeSpan.FromMinutes(minutes));
        }

        _logs.OnWritten = null;
        var second = Write();
        Assert.Equal(second.Thumbprint, sut.Current!.TargetCertificate.Thumbprint);
        unblocks.Set();
    }

    [Theory]
    [InlineData(nameof(TlsServerOptions.CertificatePath))]
    [InlineData(nameof(TlsServerOptions.TrustedRootsPath))]
    public async Task A_disk_that_blocks_the_start_is_told_by_its_file_and_the_time(string option)
    {
        Signal ends = new("the disk works again");
        var options = new TlsServerOptions { Reads = Blocked(ends) };
        if (option == nameof(TlsServerOptions.TrustedRootsPath)) (options.Certificate, options.Revocation) = (Write(), X509RevocationMode.NoCheck);
        typeof(TlsServerOptions).GetProperty(option)!.SetValue(options, CertificatePath);
        var failures = await Task.Run(() => options.Validate().ToList()).Within("the options are read");
        ends.Set();
        var failure = Assert.Single(failures);
        Assert.Equal((option, $"'{CertificatePath}' was not read within 0.05 s: its disk blocks. The start was given up."), (failure.Option, failure.Text));
    }

    [Fact]
    public async Task A_disk_that_blocks_after_the_options_were_read_ends_the_start_too()
    {
        Write();
        Signal ends = new("the disk works again");
        var options = new TlsServerOptions { CertificatePath = CertificatePath, CertificateKeyPath = KeyPath, Reads = Blocked(ends) };
        var starting = Task.Run(() => new CertificateSource(options, _logs.CreateLogger("Mux.Transport"), _time));
        var error = await Assert.ThrowsAsync<ArgumentException>(() => starting.Within("the start"));
        ends.Set();
        Assert.Contains(CertificatePath, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_start_waits_10_s_for_a_disk() => Assert.Equal(TimeSpan.FromSeconds(10), StartReads.Default.Longest);

    [Fact]
    public void A_file_that_is_too_long_is_not_read_to_its_end()
    {
        var first = Write();
        var sut = Source();
        File.WriteAllText(CertificatePath, new string(' ', 5_000_000));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(first.Thumbprint, sut.Current!.TargetCertificate.Thumbprint);
        Assert.Contains("has more than 4194304 bytes", Assert.Single(_logs.Of("TlsCertificateKept")).Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_chain_that_is_cut_short_is_not_taken_for_a_shorter_one()
    {
        var first = Write();
        var sut = Source();
        var second = TestAuthority.Shared.Issue(CertificateWish.Server);
        File.WriteAllText(CertificatePath, $"{second.ExportCertificatePem()}\n{TestAuthority.Shared.RootPem[..100]}");
        File.WriteAllText(KeyPath, second.GetECDsaPrivateKey()!.ExportPkcs8PrivateKeyPem());
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(first.Thumbprint, sut.Current!.TargetCertificate.Thumbprint);
        Assert.Contains("it contains 2 certificates, but only 1 can be read", Assert.Single(_logs.Of("TlsCertificateKept")).Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_new_certificate_waits_for_its_key()
    {
        var first = Write();
        var sut = Source();
        var second = TestAuthority.Shared.Issue(CertificateWish.Server);
        File.WriteAllText(CertificatePath, second.ExportCertificatePem());
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(first.Thumbprint, sut.Current!.TargetCertificate.Thumbprint);
        File.WriteAllText(KeyPath, second.GetECDsaPrivateKey()!.ExportPkcs8PrivateKeyPem());
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(second.Thumbprint, sut.Current!.TargetCertificate.Thumbprint);
    }

    [Fact]
    public void A_PFX_file_with_a_password_is_read()
    {
        var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        var path = Path.Combine(_folder, "server.pfx");
        File.WriteAllBytes(path, certificate.Export(X509ContentType.Pkcs12, "secret"));
        var options = new TlsServerOptions { CertificatePath = path, CertificatePassword = "secret" };
        Assert.Empty(options.Validate());
        Assert.Equal(certificate.Thumbprint, new CertificateSource(options, _logs.CreateLogger("Mux.Transport"), _time).Current!.TargetCertificate.Thumbprint);
        options.CertificatePassword = "wrong";
        Assert.StartsWith($"'{path}' cannot be used: ", Assert.Single(options.Validate()).Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false, null, "it contains no private key; set CertificateKeyPath to the file that does.")]
    [InlineData(true, null, "the private key is encrypted; set CertificatePassword.")]
    [InlineData(true, "wrong", "cannot be used: ")]
    public void A_key_that_cannot_be_had_is_told_by_what_is_missing(bool hasKey, string? password, string expected)
    {
        var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        File.WriteAllText(CertificatePath, certificate.ExportCertificatePem());
        File.WriteAllText(KeyPath, certificate.GetECDsaPrivateKey()!.ExportEncryptedPkcs8PrivateKeyPem("secret", new PbeParameters(PbeEncryptionAlgorithm.Aes256Cbc, HashAlgorithmName.SHA256, 1_000)));
        var options = new TlsServerOptions { CertificatePath = CertificatePath, CertificateKeyPath = hasKey ? KeyPath : null, CertificatePassword = password };
        Assert.Contains(expected, Assert.Single(options.Validate()).Text, StringComparison.Ordinal);
        if (!hasKey) return;
        options.CertificatePassword = "secret";
        Assert.Empty(options.Validate());
    }

    [Theory]
    [InlineData(null)]
    [InlineData("secret")]
    public void A_key_in_the_encryption_of_OpenSSL_is_said_to_be_encrypted_and_how_to_convert_it(string? password)
    {
        File.WriteAllText(CertificatePath, TestAuthority.Shared.Issue(CertificateWish.Server).ExportCertificatePem());
        File.WriteAllText(KeyPath, """
            -----BEGIN EC PRIVATE KEY-----
            Proc-Type: 4,ENCRYPTED
            DEK-Info: AES-256-CBC,DAB875963DA4152939912E472BD8B583

            Ev1urW0tK+jCcYvne2cpXHHgpsA9fbULhSpd6t72QYK0bRlbYRUAR+80oiT2N7AS
            q1YriKpo8hUIdJ3HK/5uryF8dwsSnqBeF+nulj8pfzG92Y1kWwPRS/VChJRmBCxZ
            qnFJ8RSLoP67mlu2EPOrmQ0E064/HWLY7ouDly86azU=
            -----END EC PRIVATE KEY-----
            """);
        var failure = Assert.Single(new TlsServerOptions { CertificatePath = CertificatePath, CertificateKeyPath = KeyPath, CertificatePassword = password }.Validate());
        Assert.EndsWith(
            "cannot be used: the private key is encrypted in the traditional way (Proc-Type: 4,ENCRYPTED), which cannot be read; " +
            "convert it with 'openssl pkcs8 -topk8 -in OLD -out NEW', and set CertificatePassword to the password of the new file.",
            failure.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("server.pfx")]
    [InlineData("server.P12")]
    public void A_key_beside_a_PFX_file_which_nobody_would_read_is_refused(string name)
    {
        Write();
        var path = Path.Combine(_folder, name);
        File.WriteAllBytes(path, TestAuthority.Shared.Issue(CertificateWish.Server).Export(X509ContentType.Pkcs12));
        var failure = Assert.Single(new TlsServerOptions { CertificatePath = path, CertificateKeyPath = KeyPath }.Validate());
        Assert.Equal(("CertificateKeyPath", $"'{KeyPath}' is set together with '{path}', which is PKCS #12 by its name and contains its key: remove it, or name a PEM file in CertificatePath."), (failure.Option, failure.Text));
    }

    [Fact]
    public void Options_that_cannot_be_used_are_named_with_file_and_reason()
    {
        var failures = new TlsServerOptions { CertificatePath = CertificatePath, CertificateKeyPath = KeyPath, TrustedRootsPath = KeyPath, MaxPendingHandshakes = 0 }.Validate().ToDictionary(failure => failure.Option, failure => failure.Text);
        Assert.StartsWith($"'{CertificatePath}' with the key in '{KeyPath}' cannot be used: Could not find file", failures["CertificatePath"], StringComparison.Ordinal);
        Assert.StartsWith($"'{KeyPath}' cannot be used: Could not find file", failures["TrustedRootsPath"], StringComparison.Ordinal);
        Assert.Equal("missing. A server that requires certificates of its clients must choose: NoCheck, Online or Offline.", failures["Revocation"]);
        Assert.Equal("'0' is not allowed: expected 1 to 65536.", failures["MaxPendingHandshakes"]);
        Assert.Equal("missing. A server needs a certificate: set CertificatePath or CertificateStore, or Certificate in code.", Assert.Single(new TlsServerOptions().Validate()).Text);
    }

    private static StartReads Blocked(Signal ends) => new(TimeSpan.FromMilliseconds(50), ends.Wait);

    private static async Task MakePipeAsync(string path)
    {
        using var maker = System.Diagnostics.Process.Start("mkfifo", path);
        await maker.WaitForExitAsync(TestContext.Current.CancellationToken);
    }

    private CertificateSource Source() => new(new TlsServerOptions { CertificatePath = CertificatePath, CertificateKeyPath = KeyPath }, _logs.CreateLogger("Mux.Transport"), _time);

    private X509Certificate2 Write()
    {
        var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        File.WriteAllText(CertificatePath, certificate.ExportCertificatePem());
        File.WriteAllText(KeyPath, certificate.GetECDsaPrivateKey()!.ExportPkcs8PrivateKeyPem());
        return certificate;
    }
}
