using System.ComponentModel;
using System.Text;

namespace Mux.Contracts;

/// <summary>
/// The identity of one contract method: what both sides call it and how it behaves. One instance per method and process, created by generated code.
/// </summary>
public sealed class MethodDescriptor
{
    /// <summary>The <see cref="Format"/> of the codec that is generated, and of serializers that read and write the same bytes.</summary>
    public const string DefaultFormat = "protobuf";

    private static int s_count;

    /// <summary>Creates the descriptor and gives it the next <see cref="Index"/>.</summary>
    /// <param name="service">Wire name of the service, 1 to 127 ASCII characters.</param>
    /// <param name="method">Wire name of the method, 1 to 127 ASCII characters.</param>
    /// <param name="shape">What travels.</param>
    /// <param name="takesToken">Whether the contract method declares a <see cref="CancellationToken"/>; only then does the server create a source for
    /// it.</param>
    /// <exception cref="ArgumentException">A name is empty or the two together are longer than 256 bytes of UTF-8.</exception>
    public MethodDescriptor(string service, string method, MethodShape shape, bool takesToken)
    {
        ArgumentException.ThrowIfNullOrEmpty(service);
        ArgumentException.ThrowIfNullOrEmpty(method);
        FullName = service + "/" + method;
        Utf8Name = Encoding.UTF8.GetBytes(FullName);
        if (Utf8Name.Length > 256) throw new ArgumentException($"'{FullName}' is {Utf8Name.Length} bytes of UTF-8; a wire name may take 256.", nameof(method));
        Shape = shape;
        TakesToken = takesToken;
        Index = Interlocked.Increment(ref s_count) - 1;
    }

    /// <summary>"service/method", as it stands in DEFINE frames, metrics and logs.</summary>
    public string FullName { get; }

    /// <summary><see cref="FullName"/> in UTF-8, 3 to 256 bytes.</summary>
    public ReadOnlyMemory<byte> Utf8Name { get; }

    /// <summary>What travels.</summary>
    public MethodShape Shape { get; }

    /// <summary>Gets the choices of the contract for this method.</summary>
    public MethodChoices Choices { get; init; }

    /// <summary>Whether handlers of this method receive a token that fires on cancel, deadline and connection loss.</summary>
    public bool TakesToken { get; }

    /// <summary>Whether the contract method declares <see cref="MuxCallOptions"/>; only then does the server make them.</summary>
    public bool TakesOptions { get; init; }

    /// <summary>Who may call it; null where the contract does not say.</summary>
    public MethodAuthorization? Authorization { get; init; }

    /// <summary>
    /// A number that stands for the shape of what is sent, arguments and items: field numbers, kinds of values and what is inside what, and no names; by
    /// another serializer than the codec its <see cref="Format"/>. Two sides tell each other theirs, to say of a message that cannot be read whether their
    /// contracts differ. 0 where it is not known.
    /// </summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public uint RequestFingerprint { get; init; }

    /// <summary>The same for what comes back, items or reply.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public uint ResponseFingerprint { get; init; }

    /// <summary>
    /// What the bytes of its messages are called: the name that the contract's serializer has by <see cref="Serialization.PayloadFormatAttribute"/>.
    /// </summary>
    /// <value><c>protobuf</c> by default.</value>
    public string Format { get; init; } = DefaultFormat;

    /// <summary>Dense number of this method in this process, from 0: connections index flat tables by it. Never on the wire.</summary>
    public int Index { get; }

    /// <inheritdoc/>
    public override string ToString() => FullName;
}
