using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Mux.Discovery.Etcd.Tests;

/// <summary>Options are checked when a source or a registry is created, and all that is wrong is named.</summary>
public sealed class EtcdOptionsTests
{
    private const string Target = "mux+etcd://127.0.0.1:1/orders";

    [Fact]
    public void A_user_needs_a_password_and_a_password_a_user()
    {
        AssertFails(Target, options => options.User = "root", "Password: missing, although User is set.");
        AssertFails(Target, options => options.Password = "secret", "User: missing, although Password is set.");
        AssertFails(Target, options => (options.User, options.Password) = ("", "secret"), "User: it is empty");
    }

    [Fact]
    public void A_password_needs_TLS_or_trust_in_the_network()
    {
        const string plain = "mux+etcd://10.0.0.1,10.0.0.2/orders";
        AssertFails(plain, LogIn, "AllowPlaintext: the password would be sent to 10.0.0.1:2379 without encryption: use a mux+etcds address");
        AssertHolds(plain, options =>
        {
            LogIn(options);
            options.AllowPlaintext = true;
        });
        AssertHolds("mux+etcds://10.0.0.1/orders", LogIn);

        static void LogIn(EtcdOptions options) => (options.User, options.Password) = ("root", "secret");
    }

    [Fact]
    public void The_prefix_is_the_path_or_the_option()
    {
        AssertFails("mux+etcd://127.0.0.1", _ => { }, "Prefix: missing: mux+etcd://127.0.0.1:2379 has no path. Expected mux+etcd://host:port/prefix");
        AssertFails(Target, options => options.Prefix = "orders", "Prefix: 'orders' is set, and mux+etcd://127.0.0.1:1/orders has the path '/orders': use only one");
        AssertFails("mux+etcd://127.0.0.1", options => options.Prefix = "", "Prefix: '' is not allowed: expected 1 to 512 characters");
        AssertHolds("mux+etcd://127.0.0.1", options => options.Prefix = "orders/eu/");
        Assert.Equal("mux+etcd://127.0.0.1:2379/orders/eu", new EtcdEndpointSource("mux+etcd://127.0.0.1", new EtcdOptions { Prefix = "orders/eu/" }).Name);
    }

    [Fact]
    public void Certificates_need_TLS_and_a_private_key()
    {
        using var key = RSA.Create(2048);
        using var whole = new CertificateRequest("CN=client", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1)
            .CreateSelfSigned(DateTimeOffset.UnixEpoch, DateTimeOffset.UnixEpoch.AddYears(100));
        using var bare = X509CertificateLoader.LoadCertificate(whole.RawData);
        AssertFails(Target, options => options.Certificate = whole, "Certificate: it has no effect, because mux+etcd://127.0.0.1:1/orders is not a mux+etcds address.");
        AssertFails(Target, options => options.TrustedRoots = [whole], "TrustedRoots: it has no effect");
        AssertFails("mux+etcds://e1/orders", options => options.Certificate = bare, "Certificate: the certificate of 'CN=client' has no private key.");
        AssertFails("mux+etcds://e1/orders", options => options.TrustedRoots = [], "TrustedRoots: it contains no certificate");
        AssertHolds("mux+etcds://e1/orders", options => (options.Certificate, options.TrustedRoots) = (whole, [bare]));
    }

    [Theory]
    [InlineData("00:00:02")]
    [InlineData("01:00:01")]
    [InlineData("00:00:03.500")]
    public void A_lease_has_a_range(string lease)
    {
        var error = Assert.Throws<ArgumentException>(() => new EtcdEndpointRegistry(Target, new EtcdRegistrationOptions { Lease = TimeSpan.Parse(lease) }));
        Assert.Contains("Lease: '", error.Message, StringComparison.Ordinal);
        Assert.Contains("is not allowed: expected 00:00:03 to 01:00:00, in whole seconds.", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_name_has_no_secret()
    {
        var options = new EtcdRegistrationOptions { User = "root", Password = "secret" };
        Assert.Equal(Target, new EtcdEndpointSource(Target, options).Name);
        using var registry = new EtcdEndpointRegistry(Target, options);
        Assert.Equal(Target, registry.Name);
    }

    private static void AssertHolds(string target, Action<EtcdOptions> configure)
    {
        var options = new EtcdOptions();
        configure(options);
        Assert.NotEmpty(new EtcdEndpointSource(target, options).Name);
    }

    private static void AssertFails(string target, Action<EtcdOptions> configure, string expected)
    {
        var options = new EtcdOptions();
        configure(options);
        var error = Assert.Throws<ArgumentException>(() => new EtcdEndpointSource(target, options));
        Assert.Contains(expected, error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", error.Message, StringComparison.Ordinal);
    }
}
