using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Mux.Runtime;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.Transports.Tls;

namespace Mux.Core.Tests.Transports.Tls;

/// <summary>Certificates in a store of the operating system: which one is used, when another one is, and what is said where there is none.</summary>
public sealed class CertificateStoreTests : IDisposable
{
    private readonly string _subject = $"mux-{Guid.NewGuid():N}.example"; // the store is the user's: nobody else has this name
    private readonly List<X509Certificate2> _added = [];
    private readonly ManualTime _time = new();
    private readonly LogCollector _logs = new();

    public void Dispose()
    {
        using var store = new X509Store(StoreName.My, StoreLocation.CurrentUser);
        store.Open(OpenFlags.ReadWrite);
        foreach (var certificate in _added)
        {
            store.Remove(certificate);
            certificate.Dispose();
        }

        _logs.Dispose();
    }

    [Fact]
    public void A_newer_certificate_of_the_store_is_used_after_a_second_without_a_restart()
    {
        var first = Add(age: 2);
        var sut = Source();
        Assert.Equal(first.Thumbprint, sut.Current!.TargetCertificate.Thumbprint);
        var second = Add(age: 1);
        Assert.Equal(first.Thumbprint, sut.Current!.TargetCertificate.Thumbprint);
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(second.Thumbprint, sut.Current!.TargetCertificate.Thumbprint);
        Assert.StartsWith($"The certificate in '{_subject}' in CurrentUser/My has changed; new connections use {second.Thumbprint}", Assert.Single(_logs.Of("TlsCertificateReloaded")).Text, StringComparison.Ordinal);
    }

    [Fact]
    public void The_one_in_use_stays_where_the_store_has_none_any_more_and_that_is_told_once()
    {
        var certificate = Add(age: 1);
        var sut = Source();
        Remove(certificate);
        for (int i = 0; i < 3; i++)
        {
            _time.Advance(TimeSpan.FromSeconds(1));
            Assert.Equal(certificate.Thumbprint, sut.Current!.TargetCertificate.Thumbprint);
        }

        Assert.Contains($"There is no certificate of '{_subject}' in CurrentUser/My that is valid now and has a private key.", Assert.Single(_logs.Of("TlsCertificateKept")).Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Those_that_are_not_valid_yet_or_any_more_and_those_without_a_key_are_passed_over()
    {
        var usable = Add(age: 10);
        Add(age: -1);
        Add(age: 500);
        Add(age: 1, hasKey: false);
        Assert.Equal(usable.Thumbprint, Source().Current!.TargetCertificate.Thumbprint);
    }

    [Fact]
    public void A_DNS_name_is_a_name_too()
    {
        var certificate = Add(age: 1, commonName: "Orders");
        var options = new TlsClientOptions { CertificateStore = new TlsCertificateStore { Subject = _subject.ToUpperInvariant() } };
        Assert.Equal(certificate.Thumbprint, new CertificateSource(options, _logs.CreateLogger("Mux.Transport"), _time).Current!.TargetCertificate.Thumbprint);
    }

    [Fact]
    public void Options_that_cannot_be_used_are_named()
    {
        Assert.Equal(("CertificateStore", $"There is no certificate of '{_subject}' in CurrentUser/My that is valid now and has a private key."), FailureOf(Options()));
        Assert.Equal(("CertificateStore:Subject", "missing. It names the certificate: its common name, or one of its DNS names."), FailureOf(new TlsServerOptions { CertificateStore = new TlsCertificateStore() }));
        var both = new TlsClientOptions { CertificateStore = new TlsCertificateStore { Subject = _subject }, Certificate = Add(age: 1, at: TimeProvider.System) };
        Assert.Equal(("CertificateStore", $"'{_subject}' in CurrentUser/My is set together with Certificate: use only one of them."), FailureOf(both));
        Assert.Empty(Options().Validate());
    }

    private static (string Option, string Text) FailureOf(TlsOptions options) => Assert.Single(options.Validate()) is var failure ? (failure.Option, failure.Text) : default;

    private TlsServerOptions Options() => new() { CertificateStore = new TlsCertificateStore { Subject = _subject } };

    private CertificateSource Source() => new(Options(), _logs.CreateLogger("Mux.Transport"), _time);

    /// <param name="age">Days since it was issued; it is valid for 90.</param>
    /// <param name="hasKey">Whether the store has its key as well.</param>
    /// <param name="commonName">Its common name, by default the subject of the test.</param>
    /// <param name="at">Whose time it is, by default that of the test.</param>
    private X509Certificate2 Add(int age, bool hasKey = true, string? commonName = null, TimeProvider? at = null)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN={commonName ?? _subject}", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName(_subject);
        request.CertificateExtensions.Add(names.Build());
        var issued = (at ?? _time).GetUtcNow().AddDays(-age);
        using var made = request.CreateSelfSigned(issued, issued.AddDays(90));
        var certificate = hasKey ? X509CertificateLoader.LoadPkcs12(made.Export(X509ContentType.Pkcs12), null, X509KeyStorageFlags.PersistKeySet) : X509CertificateLoader.LoadCertificate(made.RawData);
        using var store = new X509Store(StoreName.My, StoreLocation.CurrentUser);
        store.Open(OpenFlags.ReadWrite);
        store.Add(certificate);
        _added.Add(certificate);
        return certificate;
    }

    private static void Remove(X509Certificate2 certificate)
    {
        using var store = new X509Store(StoreName.My, StoreLocation.CurrentUser);
        store.Open(OpenFlags.ReadWrite);
        store.Remove(certificate);
    }
}
