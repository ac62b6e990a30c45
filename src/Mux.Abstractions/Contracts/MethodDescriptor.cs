using System.ComponentModel;
using System.Text;

namespace Mux.Contracts;

/// <summary>
/// The identity of one contract method: its wire name and its behavior. Generated code creates one instance per method and process.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class MethodDescriptor
{
    /// <summary>The <see cref="Format"/> of the generated codec, and of serializers that read and write the same bytes.</summary>
    public const string DefaultFormat = "protobuf";

    private static int s_count;

    /// <summary>Creates the descriptor and gives it the next <see cref="Index"/>.</summary>
    /// <param name="service">Wire name of the service, 1 to 127 ASCII characters.</param>
    /// <param name="method">Wire name of the method, 1 to 127 ASCII characters.</param>
    /// <param name="shape">The messages in each direction.</param>
    /// <param name="takesToken">True if the contract method declares a <see cref="CancellationToken"/>; only then does the server create a source for
    /// it.</param>
    /// <exception cref="ArgumentException">A name is empty or the two together are longer than 256 bytes of UTF-8.</exception>
    public MethodDescriptor(string service, string method, MethodShape shape, bool takesToken)
    {
        ArgumentException.ThrowIfNullOrEmpty(service);
        ArgumentException.ThrowIfNullOrEmpty(method);
        FullName = service + "/" + method;
        Utf8Name = Encoding.UTF8.GetBytes(FullName);
        if (Utf8Name.Length > 256) throw new ArgumentException($"'{FullName}' is {Utf8Name.Length} bytes of UTF-8: expected at most 256.", nameof(method));
        Shape = shape;
        TakesToken = takesToken;
        Index = Interlocked.Increment(ref s_count) - 1;
    }

    /// <summary>Gets "service/method", as in DEFINE frames, metrics and logs.</summary>
    public string FullName { get; }

    /// <summary>Gets the <see cref="FullName"/> in UTF-8, 3 to 256 bytes.</summary>
    public ReadOnlyMemory<byte> Utf8Name { get; }

    /// <summary>Gets the messages in each direction.</summary>
    public MethodShape Shape { get; }

    /// <summary>Gets the options of the contract for this method.</summary>
    public MethodChoices Choices { get; init; }

    /// <summary>Gets a value indicating whether handlers of this method receive a token that fires on cancel, deadline and connection loss.</summary>
    public bool TakesToken { get; }

    /// <summary>Gets a value indicating whether the contract method declares <see cref="MuxCallOptions"/>; only then does the server create them.</summary>
    public bool TakesOptions { get; init; }

    /// <summary>Gets the authorization of the method; null if the contract does not say.</summary>
    public MethodAuthorization? Authorization { get; init; }

    /// <summary>
    /// Gets a hash of the shape of requests and their items: field numbers, kinds of values and nesting, but no names. For a serializer other than the codec,
    /// it is a hash of the <see cref="Format"/>. Both sides exchange their hashes, so that the error about an unreadable message can say whether the contracts
    /// differ. 0 if not known.
    /// </summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public uint RequestFingerprint { get; init; }

    /// <summary>Gets a hash of the shape of replies and their items, see <see cref="RequestFingerprint"/>.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public uint ResponseFingerprint { get; init; }

    /// <summary>
    /// Gets the name of the format of the method's messages, which the contract's serializer declares with <see cref="Serialization.PayloadFormatAttribute"/>.
    /// </summary>
    /// <value><c>protobuf</c> by default.</value>
    public string Format { get; init; } = DefaultFormat;

    /// <summary>Gets the number of this method in this process, from 0 without gaps: connections index flat tables by it. Never sent.</summary>
    public int Index { get; }

    /// <summary>Creates a descriptor of the same method with another authorization, for a server with rules of its own. It takes the next index.</summary>
    public MethodDescriptor WithAuthorization(MethodAuthorization authorization)
    {
        int slash = FullName.LastIndexOf('/');
        return new(FullName[..slash], FullName[(slash + 1)..], Shape, TakesToken)
        {
            Choices = Choices,
            TakesOptions = TakesOptions,
            Authorization = authorization,
            RequestFingerprint = RequestFingerprint,
            ResponseFingerprint = ResponseFingerprint,
            Format = Format,
        };
    }

    /// <inheritdoc/>
    public override string ToString() => FullName;
}
