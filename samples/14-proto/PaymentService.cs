using System.Runtime.CompilerServices;
using Acme.Payments;
using Mux;

namespace Payments;

/// <summary>Implements the interface that the build made of vendor/acme/payments.proto, and one in C#.</summary>
internal sealed class PaymentService : IPayments, IReceipts
{
    private readonly Lock _lock = new();
    private readonly List<Receipt> _receipts = [];

    public ValueTask<Receipt> Charge(ChargeRequest request, CancellationToken cancellationToken)
    {
        if (request.Amount is null) throw new MuxException(MuxStatus.InvalidArgument, "The amount is missing.");
        lock (_lock)
        {
            if (_receipts.Find(receipt => receipt.OrderId == request.OrderId) is { } first) return new(first);
            var receipt = new Receipt
            {
                Number = _receipts.Count + 1,
                OrderId = request.OrderId,
                Status = StatusOf(request),
                ChargedAt = DateTime.UtcNow,
                Labels = request.Labels,
                Note = request.Note,
            };
            _receipts.Add(receipt);
            return new(receipt);
        }
    }

    public async IAsyncEnumerable<Receipt> List(ListRequest request, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        List<Receipt> receipts;
        lock (_lock) receipts = _receipts.FindAll(receipt => request.Since is null || receipt.ChargedAt >= request.Since);
        foreach (var receipt in receipts) yield return receipt;
    }

    public ValueTask<Receipt> LatestAsync(Receipt.Types.Status status, CancellationToken cancellationToken)
    {
        lock (_lock)
        {
            return new(_receipts.FindLast(receipt => receipt.Status == status) ?? throw new MuxException(MuxStatus.NotFound, $"No receipt is {status}."));
        }
    }

    private static Receipt.Types.Status StatusOf(ChargeRequest request) => request.MethodCase switch
    {
        ChargeRequest.MethodOneofCase.Card => request.Card!.Token.Length > 0 ? Receipt.Types.Status.Paid : Receipt.Types.Status.Declined,
        ChargeRequest.MethodOneofCase.Iban => Receipt.Types.Status.Paid,
        _ => throw new MuxException(MuxStatus.InvalidArgument, "The order names neither a card nor an account."),
    };
}
